// The summation tree of a figure, its labels, and the sizes that the other files
// use. The page joins all files inside one function. Nothing recurses along a
// tree, so chains of any length work.

const ROW = 26, GAP = 28, PAD = 28, PALETTE = 6;
const WORDS = 330; // room for the words of the last column
const TALL = 1.4; // glyphs shrink later than the distances between rows
const glyphScale = scale => scale >= 1 ? scale : Math.min(1, TALL * scale);
const CLOSED = 0, SUMMARY = 1, OPEN = 2;
const CROWD = 8; // largest group of alike subtrees shown one by one
const SMALL = 32; // leaves of the largest tree that is unfolded at first
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
  // other operands in the order of their addition.
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

  // group returns the chain or balanced combination that begins at v, or null.
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

// Labels reads the output of labels.go: five texts for each shape. Placeholders
// mark the differences between nodes of one shape.
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
