// The viewer of summation trees: a canvas that shows the part of the tree that is
// in view. Nothing here recurses along a tree, so that chains of any length work.
'use strict';
(() => {
  const ROW = 26, GAP = 28, PAD = 28, PALETTE = 6;
  const WORDS = 330; // room for the words of the last column
  const TALL = 1.4; // glyphs shrink later than the distances between rows
  const glyphScale = scale => scale >= 1 ? scale : Math.min(1, TALL * scale);
  const CLOSED = 0, SUMMARY = 1, OPEN = 2;
  const CROWD = 8; // groups of so many alike subtrees are shown one by one
  const SMALL = 32; // leaves up to which everything is unfolded at first
  const START_ROWS = 40; // rows shown at first

  // ---- the tree -------------------------------------------------------------

  function bytesOf(base64) {
    const s = atob(base64), b = new Uint8Array(s.length);
    for (let i = 0; i < s.length; i++) b[i] = s.charCodeAt(i);
    return b;
  }

  // Tree reads the post-order stream that html.go writes.
  class Tree {
    constructor(base64) {
      const b = bytesOf(base64);
      let at = 0;
      const next = () => {
        let v = 0, f = 1, c;
        do { c = b[at++]; v += (c & 127) * f; f *= 128; } while (c & 128);
        return v;
      };
      const n = this.n = next(), inner = next(), nodes = this.nodes = n + inner;
      const int = () => new Int32Array(nodes);
      this.first = new Int32Array(inner + 1);
      this.kids = new Int32Array(nodes - 1);
      for (const f of ['parent', 'size', 'height', 'depth', 'low', 'high', 'lo', 'cls', 'shape', 'run', 'link', 'levels']) this[f] = int();
      const stack = [];
      let leaf = 0, id = n, kid = 0;
      while (id < nodes || stack.length === 0) {
        const arity = next();
        if (arity === 0) {
          const z = next();
          leaf += z % 2 ? -(z + 1) / 2 : z / 2;
          this.size[leaf] = 1;
          this.low[leaf] = this.high[leaf] = leaf;
          stack.push(leaf);
          if (n === 1) break;
          continue;
        }
        this.cls[id] = next(); this.shape[id] = next(); this.run[id] = next();
        if (this.run[id]) this.link[id] = next();
        this.levels[id] = next();
        let low = n, high = 0, height = 0, size = 0;
        for (const c of stack.splice(stack.length - arity)) {
          this.kids[kid++] = c;
          this.parent[c] = id;
          size += this.size[c];
          low = Math.min(low, this.low[c]); high = Math.max(high, this.high[c]);
          height = Math.max(height, this.height[c] + 1);
        }
        this.size[id] = size; this.low[id] = low; this.high[id] = high; this.height[id] = height;
        this.first[id - n + 1] = kid;
        stack.push(id++);
      }
      const root = this.root = nodes - 1;
      this.parent[root] = -1;
      this.order = new Int32Array(n);
      for (let v = root; v >= 0; v--) {
        let lo = this.lo[v];
        if (v < n) { this.order[lo] = v; continue; }
        for (const c of this.children(v)) {
          this.lo[c] = lo; lo += this.size[c];
          this.depth[c] = this.depth[v] + 1;
        }
      }
      this.alike = new Map(); // how many nodes are of each shape
      for (let v = n; v < nodes; v++) this.alike.set(this.shape[v], (this.alike.get(this.shape[v]) || 0) + 1);
    }
    isLeaf(v) { return v < this.n; }
    children(v) { return v < this.n ? [] : this.kids.subarray(this.first[v - this.n], this.first[v - this.n + 1]); }
    arity(v) { return this.first[v - this.n + 1] - this.first[v - this.n]; }

    // chain returns the nodes of the chain at v from the top, its start and the
    // other operands in the order in which they are added.
    chain(v) {
      const nodes = [], ops = [];
      for (let k = this.run[v]; k > 0; k--) { nodes.push(v); v = this.children(v)[this.link[v]]; }
      let start = v;
      for (let i = nodes.length - 1; i >= 0; i--) {
        const kids = this.children(nodes[i]), link = this.link[nodes[i]];
        for (let j = 0; j < kids.length; j++) if (j !== link) ops.push(kids[j]);
      }
      if (this.isLeaf(start) && ops.length > 1 && this.arity(nodes[0]) === 2 && this.isLeaf(ops[0]) &&
          ops[1] < Math.min(start, ops[0]) && start < ops[0]) [start, ops[0]] = [ops[0], start];
      return {nodes, start, ops};
    }

    // balanced returns the inner nodes and the operands of the balanced
    // combination at v.
    balanced(v) {
      const nodes = [];
      let ops = [v];
      for (let k = this.levels[v]; k > 0; k--) {
        const next = [];
        for (const u of ops) { nodes.push(u); for (const c of this.children(u)) next.push(c); }
        ops = next;
      }
      return {nodes, ops};
    }

    // group says what is regular about v: a chain, a balanced combination, or
    // null.
    group(v) {
      if (this.isLeaf(v)) return null;
      if (this.levels[v] > 1) {
        const {nodes, ops} = this.balanced(v);
        return {kind: 'pairwise', nodes, ops: ops.sort((a, b) => this.low[a] - this.low[b]), pure: this.isLeaf(ops[0])};
      }
      if (this.run[v] > 1) {
        const {nodes, start, ops} = this.chain(v);
        const leaves = this.isLeaf(ops[0]) && ops.every(c => this.isLeaf(c));
        const same = !leaves && this.shape[start] === this.shape[ops[0]];
        return {kind: 'chain', nodes, start, ops: same || leaves && this.isLeaf(start) ? [start, ...ops] : ops, same, leaves, pure: leaves && this.isLeaf(start)};
      }
      return null;
    }
  }

  // ---- words ----------------------------------------------------------------

  const grouped = v => v < 10000 ? String(v) : String(v).replace(/\B(?=(\d{3})+$)/g, '\u202f');
  const counted = (n, one, many) => n === 1 ? '1 ' + one : grouped(n) + ' ' + many;

  // Labels reads what labels.go writes: five texts for each shape. Placeholders
  // stand for what nodes of one shape differ in.
  class Labels {
    constructor(json, tree) {
      const {texts, labels, runs} = JSON.parse(json);
      this.texts = texts; this.labels = labels; this.tree = tree;
      this.of = [];
      for (let i = 0; i < runs.length; i += 2) for (let k = runs[i]; k > 0; k--) this.of.push(runs[i + 1]);
    }
    text(v, field) {
      const t = this.tree, s = this.texts[this.labels[5 * this.of[t.shape[v]] + field]];
      return s.replace(/\{([^}]*)\}/g, (_, k) =>
        k === '^' ? t.high[v] : k === 'n' ? counted(t.size[v], 'leaf', 'leaves') : k === 'r' ? grouped(t.run[v] + 1) : k === 'm' ? t.run[v] : t.low[v] + Number(k));
    }
    head(v) { return this.text(v, 0); }
    detail(v) { return this.text(v, 1); }
    set(v) { return this.text(v, 2); }
    rest(v) { return {head: this.text(v, 3), detail: this.text(v, 4)}; }
  }

  // ---- the viewer -----------------------------------------------------------

  class Viewer {
    constructor(box) {
      this.box = box;
      this.tree = new Tree(box.dataset.tree);
      this.labels = new Labels(box.dataset.labels, this.tree);
      this.classes = JSON.parse(box.dataset.classes);
      this.canvas = box.querySelector('canvas');
      this.facts = box.querySelector('.facts');
      this.status = box.querySelector('[role=status]');
      this.ctx = this.canvas.getContext('2d');
      this.mode = new Uint8Array(this.tree.nodes);
      this.words = new Map();
      this.widths = new Map();
      this.scale = this.sx = 1; // of heights and glyphs; of the distances between columns
      this.tx = this.ty = 20;
      this.selected = null; this.found = -1;
      this.begin();
      this.listen();
      this.colours();
      this.resize();
      this.layout();
      this.fit();
    }

    // label returns head and detail of a node that is not shown with its kids.
    label(v) {
      let l = this.words.get(v);
      if (l) return l;
      l = this.tree.isLeaf(v) ? {head: String(v), detail: ''} : {head: this.labels.head(v), detail: this.labels.detail(v)};
      this.words.set(v, l);
      return l;
    }

    // begin opens the largest subtree of each shape while there is room.
    begin() {
      const t = this.tree, seen = new Set();
      if (t.n <= SMALL) { this.mode.fill(OPEN); return; }
      let rows = 1, queue = [t.root];
      while (queue.length) {
        let best = 0;
        for (let i = 1; i < queue.length; i++) if (t.size[queue[i]] > t.size[queue[best]] || t.size[queue[i]] === t.size[queue[best]] && queue[i] < queue[best]) best = i;
        const v = queue.splice(best, 1)[0];
        if (t.isLeaf(v) || seen.has(t.shape[v]) || v !== t.root && t.height[v] === 1) continue;
        const g = t.group(v);
        const few = g && g.kind === 'pairwise' && g.ops.length <= CROWD;
        const kids = this.kidsOf(v, g && !g.pure && !few ? SUMMARY : OPEN);
        if (g && g.pure || v !== t.root && rows + kids.length - 1 > START_ROWS) continue;
        if (few) for (const u of g.nodes) this.mode[u] = OPEN;
        else this.mode[v] = g && !g.pure ? SUMMARY : OPEN;
        seen.add(t.shape[v]);
        rows += (few ? g.ops.length : kids.length) - 1;
        for (const u of few ? g.ops : kids.filter(k => k.kind === 'node').map(k => k.v)) queue.push(u);
        if (queue.length > 4 * START_ROWS) queue = queue.filter(u => !t.isLeaf(u)).slice(0, 4 * START_ROWS);
      }
    }

    // kidsOf returns what is shown under a node in a mode.
    kidsOf(v, mode) {
      const t = this.tree, node = c => ({kind: 'node', v: c});
      const g = mode === SUMMARY ? t.group(v) : null;
      if (!g) return Array.from(t.children(v), node);
      const rest = (ops, from) => ops.length - from === 0 ? [] : ops.length - from === 1 ? [node(ops[from])] : [{kind: 'alike', v, ops, from}];
      if (g.kind === 'pairwise') return [node(g.ops[0]), ...rest(g.ops, 1)];
      if (g.leaves) return [node(g.start), {kind: 'leaves', v, ops: g.ops, from: 0}];
      if (g.same) return [node(g.start), ...rest(g.ops, 1)];
      return [node(g.start), node(g.ops[0]), ...rest(g.ops, 1)];
    }

    // layout lists the visible items, parents first, and places them.
    layout() {
      const t = this.tree, items = [], stack = [{kind: 'node', v: t.root, parent: -1, depth: 0}];
      let row = 0;
      const columns = [];
      while (stack.length) {
        const it = stack.pop(), at = items.length;
        items.push(it);
        it.first = it.last = -1; it.end = at + 1;
        if (it.parent >= 0) {
          const p = items[it.parent];
          if (p.first < 0) p.first = at;
          p.last = at;
        }
        const mode = it.kind === 'node' && !t.isLeaf(it.v) ? this.mode[it.v] : CLOSED;
        it.open = mode !== CLOSED;
        if (!it.open) {
          it.y = row++ * ROW; it.top = it.bottom = it.y;
          continue;
        }
        it.summary = mode === SUMMARY;
        it.w = 22;
        if (it.summary) {
          it.label = {head: this.labels.head(it.v)};
          it.w = this.width(it.label.head) + 20;
        }
        columns[it.depth] = Math.max(columns[it.depth] || 0, it.w);
        const kids = this.kidsOf(it.v, mode);
        for (let i = kids.length - 1; i >= 0; i--) {
          kids[i].parent = at; kids[i].depth = it.depth + 1;
          stack.push(kids[i]);
        }
      }
      const x = [0];
      for (let d = 0; d < columns.length; d++) x.push(x[d] + (columns[d] || 22) + GAP);
      let right = 0;
      for (let i = items.length - 1; i >= 0; i--) {
        const it = items[i];
        it.x = x[it.depth];
        if (it.open) {
          it.y = (items[it.first].y + items[it.last].y) / 2;
          it.top = items[it.first].top; it.bottom = items[it.last].bottom; it.end = items[it.last].end;
          it.bus = it.summary ? it.w + 9 : 11;
          it.right = Math.max(it.right || 0, it.x);
        } else it.right = it.x;
        right = Math.max(right, it.x);
        if (it.parent >= 0) items[it.parent].right = Math.max(items[it.parent].right || 0, it.right);
      }
      this.items = items;
      this.at = new Map();
      for (let i = 0; i < items.length; i++) if (items[i].kind === 'node') this.at.set(items[i].v, i);
      this.world = {w: right, h: Math.max(1, row - 1) * ROW};
      this.sx = this.across(this.scale);
      this.canvas.dataset.items = items.length;
      this.canvas.dataset.rows = row;
      this.paint();
    }

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

    // dot stands for an item too small for words.
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

    // ---- looking around

    // across returns the scale of the distances between columns: that of the
    // glyphs, but never so small that a tall tree becomes a line.
    across(scale) {
      const g = glyphScale(scale);
      return Math.max(g, Math.min(1, (this.w - 2 * PAD - WORDS * g) / Math.max(1, this.world.w)));
    }

    fit() {
      const tall = (this.h - 2 * PAD) / Math.max(this.world.h, ROW), wide = (this.w - 2 * PAD) / (this.world.w + WORDS);
      this.scale = Math.min(1.25, tall, wide < 1 ? wide / TALL : wide);
      this.sx = this.across(this.scale);
      this.tx = PAD;
      this.ty = Math.max(PAD, (this.h - this.world.h * this.scale) / 2);
      this.paint();
    }
    zoom(f, x = this.w / 2, y = this.h / 2) {
      const least = Math.min(0.5, this.w / (this.world.w + WORDS), this.h / (this.world.h + ROW)) / 2;
      const s = Math.min(6, Math.max(least, this.scale * f)), sx = this.across(s);
      this.tx = x - (x - this.tx) * sx / this.sx; this.ty = y - (y - this.ty) * s / this.scale;
      this.scale = s; this.sx = sx;
      this.paint();
    }
    pan(dx, dy) {
      this.tx += dx; this.ty += dy;
      const keep = 60;
      this.tx = Math.min(this.w - keep, Math.max(keep - this.world.w * this.sx, this.tx));
      this.ty = Math.min(this.h - keep, Math.max(keep - this.world.h * this.scale, this.ty));
      this.paint();
    }
    // show brings an item into view, and in the middle where asked.
    show(it, centre) {
      const x = it.x * this.sx + this.tx, y = it.y * this.scale + this.ty, m = 40;
      if (centre || x < m || x > this.w - 160) this.tx += (centre ? this.w * 0.6 : Math.min(Math.max(x, m), this.w - 160)) - x;
      if (centre || y < m || y > this.h - m) this.ty += (centre ? this.h * 0.5 : Math.min(Math.max(y, m), this.h - m)) - y;
      this.paint();
    }
    // steady lays out anew and leaves node v where it was on the screen.
    steady(v) {
      const i = this.at.get(v), before = i === undefined ? null : this.items[i], sx = this.sx;
      this.layout();
      const j = this.at.get(v);
      if (before && j !== undefined) {
        this.tx += before.x * sx - this.items[j].x * this.sx;
        this.ty += (before.y - this.items[j].y) * this.scale;
      }
      this.paint();
    }

    // ---- folding

    toggle(it) {
      const t = this.tree;
      if (it.kind !== 'node') { this.openGroup(it.v); this.select({kind: 'node', v: it.v}); return; }
      if (t.isLeaf(it.v)) return;
      if (this.mode[it.v] !== CLOSED) { this.mode[it.v] = CLOSED; this.steady(it.v); return; }
      const g = t.group(it.v);
      if (g && g.pure) { this.openGroup(it.v); return; }
      this.mode[it.v] = g ? SUMMARY : OPEN;
      this.steady(it.v);
    }
    openGroup(v) {
      for (const u of this.tree.group(v).nodes) this.mode[u] = OPEN;
      this.steady(v);
    }
    foldAll() { this.mode.fill(CLOSED); this.layout(); this.fit(); }
    unfoldAll() { this.mode.fill(OPEN); this.layout(); this.fit(); }
    summary() { this.mode.fill(CLOSED); this.begin(); this.layout(); this.fit(); }
    toDepth(k) {
      const t = this.tree;
      for (let v = t.n; v < t.nodes; v++) this.mode[v] = t.depth[v] < k ? OPEN : CLOSED;
      this.layout(); this.fit();
    }
    goTo(leaf) {
      const t = this.tree;
      if (!Number.isInteger(leaf) || leaf < 0 || leaf >= t.n) { this.say('There is no leaf ' + leaf + ': they run from 0 to ' + (t.n - 1) + '.'); return; }
      for (let v = t.parent[leaf]; v >= 0; v = t.parent[v]) this.mode[v] = OPEN;
      this.found = leaf;
      this.layout();
      this.scale = Math.max(this.scale, 1);
      this.sx = this.across(this.scale);
      this.select({kind: 'node', v: leaf});
      this.show(this.items[this.at.get(leaf)], true);
    }

    // ---- choosing

    select(it) {
      this.selected = it ? {kind: it.kind, v: it.v, ops: it.ops, from: it.from} : null;
      if (it) this.describe(it);
      this.paint();
    }
    describe(it) {
      const t = this.tree, v = it.v, rows = [];
      if (it.kind !== 'node') {
        const l = this.labels.rest(it.v);
        rows.push(['Folded', it.kind === 'leaves' ? counted(it.ops.length, 'summand', 'summands') : l.head], ['Leaves', l.detail]);
      } else if (t.isLeaf(v)) rows.push(['Leaf', String(v)], ['Depth', String(t.depth[v])]);
      else {
        const g = t.group(v), a = t.arity(v);
        rows.push(['Node', (a === 2 ? 'addition' : 'sum of ' + a + ' operands at once') + (g ? ', top of a ' + this.labels.head(v) : '')]);
        rows.push(['Leaves', grouped(t.size[v]) + ': ' + this.labels.set(v)]);
        rows.push(['Depth', String(t.depth[v])], ['Height', String(t.height[v])]);
        if (t.alike.get(t.shape[v]) > 1) rows.push(['Alike', counted(t.alike.get(t.shape[v]), 'node', 'nodes') + ' of this shape']);
        if (this.classes.length > 1) rows.push(['Class', this.classes[t.cls[v]]]);
      }
      this.facts.replaceChildren(...rows.map(([k, val]) => {
        const d = document.createElement('div'), dt = document.createElement('dt'), dd = document.createElement('dd');
        dt.textContent = k; dd.textContent = val;
        d.append(dt, dd);
        return d;
      }));
      const state = it.kind === 'node' && !t.isLeaf(v) ? (this.mode[v] === CLOSED ? ', folded' : ', unfolded') : '';
      this.say(rows.map(r => r.join(' ')).join(', ') + state);
    }
    say(s) { this.status.textContent = s; }

    // hit returns the item at a point of the canvas.
    hit(px, py) {
      const s = this.scale, y = (py - this.ty) / s, slack = 4;
      for (let i = 0; i < this.items.length;) {
        const it = this.items[i];
        const x = it.x * this.sx + this.tx;
        if (y < it.top - ROW / s || y > it.bottom + ROW / s || px < x - 2 * slack) { i = it.end; continue; }
        const [dx, dy, w, h] = it.hit || [0, 0, 0, 0], left = x + dx, top = it.y * s + this.ty + dy;
        if (px >= left - slack && px <= left + w + slack && py >= top - slack && py <= top + h + slack) return it;
        i++;
      }
      return null;
    }

    key(e) {
      const t = this.tree;
      if (e.ctrlKey || e.metaKey || e.altKey) return;
      const at = this.selected ? this.items.findIndex(it => this.same(it, this.selected)) : -1;
      const go = i => {
        const it = this.items[Math.max(0, Math.min(this.items.length - 1, i))];
        this.select(it); this.show(it);
      };
      const it = this.items[at];
      switch (e.key) {
      case '+': case '=': this.zoom(1.25); break;
      case '-': this.zoom(0.8); break;
      case '0': this.fit(); break;
      case 'Home': go(0); break;
      case 'End': go(this.items.length - 1); break;
      case 'ArrowDown': e.shiftKey ? this.pan(0, -60) : go(at + 1); break;
      case 'ArrowUp': e.shiftKey ? this.pan(0, 60) : go(at < 0 ? 0 : at - 1); break;
      case 'ArrowRight':
        if (e.shiftKey) this.pan(-60, 0);
        else if (!it) go(0);
        else if (it.open) go(at + 1);
        else if (it.kind !== 'node' || !t.isLeaf(it.v)) this.toggleAndTell(it);
        break;
      case 'ArrowLeft':
        if (e.shiftKey) this.pan(60, 0);
        else if (!it) go(0);
        else if (it.open) this.toggleAndTell(it);
        else if (it.parent >= 0) go(it.parent);
        break;
      case 'Enter': case ' ': if (it) this.toggleAndTell(it); break;
      case '/': this.box.querySelector('input[name=leaf]').focus(); break;
      default: return;
      }
      e.preventDefault();
    }
    toggleAndTell(it) {
      this.toggle(it);
      if (this.selected) this.describe(this.selected);
    }

    listen() {
      const {box, canvas} = this, on = (name, f) => box.querySelector('[data-do=' + name + ']').addEventListener('click', f);
      this.zoomText = box.querySelector('.zoom');
      on('in', () => this.zoom(1.4)); on('out', () => this.zoom(1 / 1.4)); on('fit', () => this.fit());
      on('fold', () => this.foldAll()); on('unfold', () => this.unfoldAll()); on('summary', () => this.summary());
      box.querySelector('form.depth').addEventListener('submit', e => { e.preventDefault(); this.toDepth(Number(e.target.depth.value)); });
      box.querySelector('form.leaf').addEventListener('submit', e => { e.preventDefault(); this.goTo(e.target.leaf.value === '' ? NaN : Number(e.target.leaf.value)); });
      canvas.addEventListener('keydown', e => this.key(e));
      canvas.addEventListener('wheel', e => {
        // A page is scrolled through, not caught: zoom where the viewer has the
        // focus or the gesture is a pinch.
        if (!e.ctrlKey && document.activeElement !== canvas) return;
        e.preventDefault();
        const r = canvas.getBoundingClientRect(), unit = e.deltaMode === 1 ? 16 : 1;
        this.zoom(Math.exp(-e.deltaY * unit * (e.ctrlKey ? 0.01 : 0.002)), e.clientX - r.left, e.clientY - r.top);
      }, {passive: false});
      this.pointers();
      window.addEventListener('resize', () => this.resize());
      const again = () => { this.colours(); this.paint(); };
      matchMedia('(prefers-color-scheme: dark)').addEventListener('change', again);
    }

    // pointers pans with one finger or button, pinches with two, and takes what
    // does not move for a click.
    pointers() {
      const {canvas} = this, down = new Map();
      let moved = 0;
      const at = e => { const r = canvas.getBoundingClientRect(); return {x: e.clientX - r.left, y: e.clientY - r.top}; };
      canvas.addEventListener('pointerdown', e => {
        canvas.focus({preventScroll: true});
        canvas.setPointerCapture(e.pointerId);
        down.set(e.pointerId, at(e));
        if (down.size === 1) moved = 0;
      });
      canvas.addEventListener('pointermove', e => {
        const now = at(e), was = down.get(e.pointerId);
        if (!was) {
          const it = this.hit(now.x, now.y);
          canvas.style.cursor = it ? 'pointer' : 'grab';
          return;
        }
        const others = [...down.entries()].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
        moved += Math.hypot(now.x - was.x, now.y - was.y);
        if (others.length === 1) {
          const o = others[0], before = Math.hypot(was.x - o.x, was.y - o.y), after = Math.hypot(now.x - o.x, now.y - o.y);
          if (before > 0) this.zoom(after / before, (now.x + o.x) / 2, (now.y + o.y) / 2);
        }
        if (moved > 4) this.pan((now.x - was.x) / down.size, (now.y - was.y) / down.size);
        down.set(e.pointerId, now);
      });
      const up = e => {
        const p = down.get(e.pointerId);
        down.delete(e.pointerId);
        if (!p || e.type === 'pointercancel' || moved > 4 || down.size) return;
        const it = this.hit(p.x, p.y);
        this.select(it);
        if (it) this.toggleAndTell(it);
      };
      canvas.addEventListener('pointerup', up);
      canvas.addEventListener('pointercancel', up);
    }

    // where returns the point of the canvas at which a node is drawn, null while
    // it is not shown: for whoever drives the page from outside.
    where(v) {
      const i = this.at.get(v);
      if (i === undefined) return null;
      const it = this.items[i], r = this.canvas.getBoundingClientRect();
      return {x: r.left + it.x * this.sx + 11 * glyphScale(this.scale) + this.tx, y: r.top + it.y * this.scale + this.ty};
    }
  }

  // Trees of a long gallery are read when they are scrolled to.
  const start = box => {
    box.hidden = false;
    box.closest('figure').classList.add('live');
    box.canvasViewer = new Viewer(box);
  };
  const watch = new IntersectionObserver(entries => {
    for (const e of entries) {
      if (!e.isIntersecting) continue;
      watch.unobserve(e.target);
      start(e.target.querySelector('.viewer'));
    }
  }, {rootMargin: '600px'});
  for (const f of document.querySelectorAll('figure.tree')) watch.observe(f);
})();
