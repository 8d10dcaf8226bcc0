// Layout lists the items of a tree that are visible and places them.
class Layout {
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

  // kidsOf returns the items shown under a node in a mode.
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
}
