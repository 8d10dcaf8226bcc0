// Viewer answers the pointer and the keys: it moves, folds and selects.
class Viewer extends Canvas {
  constructor(box) {
    super();
    this.box = box;
    const {tree, labels} = sourceOf(box).dataset;
    this.tree = new Tree(tree);
    this.labels = new Labels(labels, this.tree);
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
    if (!Number.isInteger(leaf) || leaf < 0 || leaf >= t.n) { this.announce('There is no leaf ' + leaf + ': they run from 0 to ' + (t.n - 1) + '.'); return; }
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
    this.announce(rows.map(r => r.join(' ')).join(', ') + state);
  }
  announce(s) { this.status.textContent = s; }

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
      else if (it.kind !== 'node' || !t.isLeaf(it.v)) this.toggleAndAnnounce(it);
      break;
    case 'ArrowLeft':
      if (e.shiftKey) this.pan(60, 0);
      else if (!it) go(0);
      else if (it.open) this.toggleAndAnnounce(it);
      else if (it.parent >= 0) go(it.parent);
      break;
    case 'Enter': case ' ': if (it) this.toggleAndAnnounce(it); break;
    case '/': this.box.querySelector('input[name=leaf]').focus(); break;
    default: return;
    }
    e.preventDefault();
  }
  toggleAndAnnounce(it) {
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

  // pointers pans with one finger or button and pinches with two. A pointer
  // that does not move is a click.
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
      if (it) this.toggleAndAnnounce(it);
    };
    canvas.addEventListener('pointerup', up);
    canvas.addEventListener('pointercancel', up);
  }

  // where returns the point of the canvas that a node is drawn at, null while
  // it is not shown. Tests and other programs that drive the page call it.
  where(v) {
    const i = this.at.get(v);
    if (i === undefined) return null;
    const it = this.items[i], r = this.canvas.getBoundingClientRect();
    return {x: r.left + it.x * this.sx + 11 * glyphScale(this.scale) + this.tx, y: r.top + it.y * this.scale + this.ty};
  }
}

// sourceOf returns the viewer that holds the tree of a viewer: an equal tree is
// on the page once.
const sourceOf = box => box.dataset.like ? document.getElementById(box.dataset.like).querySelector('.viewer') : box;

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
