// Canvas draws the items in view.
class Canvas extends Layout {
  width(s) {
    let w = this.widths.get(s);
    if (w === undefined) {
      this.ctx.font = this.font(12);
      this.widths.set(s, w = this.ctx.measureText(s).width);
    }
    return w;
  }
  font(px, bold) { return (bold ? '600 ' : '') + px + 'px ' + this.family; }

  colours() {
    const s = getComputedStyle(this.box), v = name => s.getPropertyValue('--lb-' + name).trim();
    this.family = s.fontFamily;
    this.c = {bg: v('bg'), ink: v('ink'), mute: v('mute'), line: v('line'), paper: v('paper'), k: []};
    for (let i = 0; i < PALETTE; i++) this.c.k.push(v('k' + i));
  }

  resize() {
    const r = this.canvas.getBoundingClientRect(), dpr = window.devicePixelRatio || 1;
    this.w = r.width; this.h = r.height;
    this.canvas.width = Math.round(r.width * dpr); this.canvas.height = Math.round(r.height * dpr);
    this.dpr = dpr;
    this.paint();
  }

  paint() {
    if (this.pending) return;
    this.pending = true;
    requestAnimationFrame(() => { this.pending = false; this.draw(); });
  }

  draw() {
    const {ctx, c, scale, tx, ty, items, w, h} = this;
    if (!items || !w) return;
    ctx.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
    ctx.fillStyle = c.bg;
    ctx.fillRect(0, 0, w, h);
    const shown = this.lines();
    const small = ROW * scale < 8;
    for (const it of shown) this.glyph(it, small);
    this.canvas.dataset.scale = scale.toFixed(4);
    this.canvas.dataset.drawn = shown.length;
    this.canvas.dataset.view = [tx, ty].map(Math.round).join(' ');
    if (this.zoomText) this.zoomText.textContent = scale < 0.1 ? (scale * 100).toFixed(1) + ' %' : Math.round(scale * 100) + ' %';
  }

  // lines draws the branches in view and returns the items whose glyphs are.
  // Subtrees lower than a pixel become one stroke.
  lines() {
    const {ctx, c, scale, sx, tx, ty, items, w, h} = this, g = glyphScale(scale), shown = [];
    ctx.strokeStyle = c.line;
    ctx.lineWidth = Math.max(0.6, Math.min(1.5, 1.4 * scale));
    ctx.beginPath();
    for (let i = 0; i < items.length;) {
      const it = items[i];
      if (it.bottom * scale + ty < -20 || it.top * scale + ty > h + 20) { i = it.end; continue; }
      const x = it.x * sx + tx, y = it.y * scale + ty;
      if (it.parent >= 0) this.elbow(items[it.parent], it, x, y);
      if (x > w) { i = it.end; continue; }
      if (it.open && it.end - i > 4 && (it.bottom - it.top) * scale < 0.8) {
        ctx.moveTo(x, y); ctx.lineTo(it.right * sx + tx, y);
        i = it.end; continue;
      }
      if (it.open && it.summary) { ctx.moveTo(x + it.w * g, y); ctx.lineTo(x + it.bus * g, y); }
      if (y > -20 && y < h + 20) shown.push(it);
      i++;
    }
    ctx.stroke();
    return shown;
  }

  elbow(p, it, x, y) {
    const {ctx, scale, sx, tx, ty, h} = this, g = glyphScale(scale), bx = p.x * sx + p.bus * g + tx;
    const py = Math.min(Math.max(p.y * scale + ty, -50), h + 50), ky = Math.min(Math.max(y, -50), h + 50);
    const r = Math.min(8 * g, Math.abs(ky - py), Math.abs(x - bx));
    ctx.moveTo(bx, py);
    if (r < 1.5) ctx.lineTo(bx, ky);
    else { const s = ky < py ? -r : r; ctx.lineTo(bx, ky - s); ctx.quadraticCurveTo(bx, ky, bx + r, ky); }
    ctx.lineTo(it.open && !it.summary ? x + 4 * g : x, ky);
  }

  glyph(it, small) {
    const {ctx, c, scale, sx, tx, ty} = this, t = this.tree, g = glyphScale(scale);
    const x = it.x * sx + tx, y = it.y * scale + ty;
    const colour = c.k[t.cls[it.v] % PALETTE];
    if (small) { this.dot(it, x, y, colour); return; }
    ctx.textBaseline = 'middle';
    if (it.open && !it.summary) { this.disc(it, x, y, g, colour); return; }
    const l = it.label || (it.label = it.kind === 'node' ? this.label(it.v) : this.labels.rest(it.v));
    const leaf = it.kind === 'leaves' || it.kind === 'node' && t.isLeaf(it.v);
    const wide = Math.max(22, this.width(l.head) + (leaf ? 8 : 20)) * g;
    const high = Math.min(22 * g, 0.9 * ROW * scale);
    it.hit = [0, -high / 2, wide, high];
    if (leaf) {
      ctx.fillStyle = c.bg;
      ctx.fillRect(x, y - high / 2, wide, high);
    } else {
      ctx.fillStyle = c.paper; ctx.strokeStyle = colour; ctx.lineWidth = 1.4 * Math.min(1, g);
      if (it.kind === 'alike') { ctx.setLineDash([3, 2.5]); this.pill(x + 4 * g, y - high / 2 + 3 * g, wide, high); }
      this.pill(x, y - high / 2, wide, high);
      ctx.setLineDash([]);
    }
    ctx.fillStyle = c.ink; ctx.textAlign = 'center'; ctx.font = this.font(12 * g);
    ctx.fillText(l.head, x + wide / 2, y + 0.5 * g);
    if (l.detail && !it.open) {
      ctx.fillStyle = c.mute; ctx.textAlign = 'left';
      ctx.fillText(l.detail, x + wide + (it.kind === 'alike' ? 12 : 8) * g, y + 0.5 * g);
    }
    if (this.marked(it)) this.ring(x - 3, y - high / 2 - 3, wide + 6, high + 6);
  }

  // disc draws an addition whose operands are shown.
  disc(it, x, y, g, colour) {
    const {ctx, c} = this, arity = this.tree.arity(it.v);
    it.hit = [1.5 * g, -9.5 * g, 19 * g, 19 * g];
    ctx.fillStyle = colour;
    ctx.beginPath(); ctx.arc(x + 11 * g, y, 9.5 * g, 0, 2 * Math.PI); ctx.fill();
    ctx.fillStyle = c.bg; ctx.textAlign = 'center';
    ctx.font = this.font((arity > 2 ? 10.5 : 15) * g, true);
    ctx.fillText(arity > 2 ? arity : '+', x + 11 * g, y + 0.5 * g);
    if (this.marked(it)) this.ring(x - 1.5 * g, y - 12.5 * g, 25 * g, 25 * g);
  }

  // dot draws an item too small for words.
  dot(it, x, y, colour) {
    const {ctx, c, scale} = this, r = Math.max(1, 6 * scale);
    it.hit = [0, -r, 2 * r, 2 * r];
    if (scale < 0.05 && !this.marked(it)) return;
    ctx.fillStyle = it.kind === 'node' && this.tree.isLeaf(it.v) ? c.mute : colour;
    ctx.fillRect(x, y - r, 2 * r, 2 * r);
    if (this.marked(it)) this.ring(x - 3, y - r - 3, 2 * r + 6, 2 * r + 6);
  }

  marked(it) { return this.selected && this.same(it, this.selected) || it.kind === 'node' && it.v === this.found; }
  same(a, b) { return a.kind === b.kind && a.v === b.v; }
  pill(x, y, w, h) { const {ctx} = this; ctx.beginPath(); ctx.roundRect(x, y, w, h, h / 2); ctx.fill(); ctx.stroke(); }
  ring(x, y, w, h) {
    const {ctx, c} = this;
    ctx.strokeStyle = c.k[1]; ctx.lineWidth = 2.2;
    ctx.beginPath(); ctx.roundRect(x, y, w, h, Math.min(w, h) / 2); ctx.stroke();
  }
}
