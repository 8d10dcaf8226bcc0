"use strict";

// The page of lastbit in a browser. The numbers are computed by the program,
// which is Go, compiled to WebAssembly.

const $ = (id) => document.getElementById(id);

// ask calls a function of the program, and returns its value.
function ask(name, ...args) {
  const reply = JSON.parse(lastbit[name](...args));
  if (reply.error !== undefined) {
    throw new Error(reply.error);
  }
  return reply.value;
}

// say shows an answer: right, wrong, or neither.
function say(id, text, kind = "") {
  $(id).textContent = text;
  $(id).className = `answer ${kind}`;
}

// on runs a function when a button is pressed, and shows its error.
function on(id, answer, run) {
  $(id).addEventListener("click", async () => {
    try {
      await run();
    } catch (e) {
      say(answer, e.message, "wrong");
    }
  });
}

const count = (n, word) => `${n.toLocaleString("en")} ${word}${Number(n) === 1 ? "" : "s"}`;

// ulps names a distance. JSON holds integers to 2^53.
const ulps = (n) =>
  n > Number.MAX_SAFE_INTEGER ? `about ${n.toPrecision(3)} ULPs` : count(n, "ULP");

// Sums.

let sums = [];
let shuffles = 0;
let added = ""; // the text of these numbers

function from(total) {
  if (total.plain.bits === total.exact.bits) {
    return "equal";
  }
  return total.ulps === "" ? "another kind of number" : count(BigInt(total.ulps), "ULP");
}

function showSums() {
  const rows = sums.slice(-20).map(({ order, total }) => {
    const row = document.createElement("tr");
    for (const text of [order, total.plain.text, total.plain.bits, from(total)]) {
      row.append(Object.assign(document.createElement("td"), { textContent: text }));
    }
    return row;
  });
  $("sums").tBodies[0].replaceChildren(...rows);
  const last = sums[sums.length - 1].total;
  $("exact").textContent = last.exact.text;
  $("exact-bits").textContent = last.exact.bits;
  $("digest").textContent = `digest ${last.digest.slice(0, 16)}`;
  $("sums").hidden = false;
  const different = new Set(sums.map((s) => s.total.plain.bits)).size;
  const orders = count(sums.length, "order");
  const digests = new Set(sums.map((s) => s.total.exact.bits + s.total.digest)).size;
  if (digests > 1) {
    throw new Error("the exact sum changed with the order, which is a bug of lastbit");
  }
  if (different > 1) {
    say("sum-answer", `${orders} gave ${different} plain sums and one exact sum.`, "wrong");
  } else if (last.plain.bits !== last.exact.bits) {
    say("sum-answer", `The plain sum is off by ${from(last)}. Shuffle the numbers.`, "wrong");
  } else {
    say("sum-answer", `In ${orders} the plain sum is the exact one.`, "right");
  }
}

function add() {
  sums = [];
  shuffles = 0;
  $("sums").hidden = true;
  added = $("numbers").value;
  sums.push({ order: "as given", total: ask("sum", added) });
  showSums();
}

function shuffle(times) {
  if (sums.length === 0 || $("numbers").value !== added) {
    add();
  }
  for (let k = 0; k < times; k++) {
    shuffles++;
    sums.push({ order: `shuffled ${shuffles}`, total: ask("shuffle", shuffles) });
  }
  showSums();
}

// Functions.

function bytes(numbers) {
  return new Uint8Array(numbers.buffer);
}

function check(name, x) {
  const y = Float64Array.from(x, (v) => Math[name](v));
  return ask("check", name, bytes(x), bytes(y));
}

function computeOne() {
  const name = $("function").value;
  const text = $("argument").value.trim();
  const x = Number(text);
  if (text === "" || (Number.isNaN(x) && text.toLowerCase() !== "nan")) {
    throw new Error(`“${text}” is not a number`);
  }
  const { worst } = check(name, Float64Array.of(x));
  const call = `Math.${name}(${x})`;
  if (worst === null) {
    say("function-answer", `${call} = ${Math[name](x)} here, which is correctly rounded.`, "right");
    return;
  }
  const far = worst.ulps === "" ? "" : `, ${count(BigInt(worst.ulps), "ULP")} away`;
  say("function-answer",
    `${call} = ${worst.theirs.text} here; correctly rounded it is ${worst.right.text}${far}.`,
    "wrong");
}

// The arguments of a scan, from −1 to 1 where a function has no others.
const ranges = {
  acosh: [1, 100], acos: [-1, 1], asin: [-1, 1], atanh: [-1, 1], log: [0, 100], log2: [0, 100],
  log10: [0, 100], log1p: [-1, 100], exp: [-20, 20], expm1: [-20, 20],
};

function scan() {
  const name = $("function").value;
  const [low, high] = ranges[name] ?? [-10, 10];
  const x = Float64Array.from({ length: 100000 }, () => low + (high - low) * Math.random());
  const { count: tried, wrong, worst } = check(name, x);
  const between = `${tried.toLocaleString("en")} arguments between ${low} and ${high}`;
  if (wrong === 0) {
    say("function-answer", `Math.${name} is correctly rounded here for ${between}.`, "right");
    return;
  }
  say("function-answer",
    `Math.${name} has another last digit for ${wrong.toLocaleString("en")} of ${between}; ` +
      `the worst is off by ${worst.ulps} ULP, at ${worst.argument.text}.`, "wrong");
}

// Arrays.

const files = { a: null, b: null, x: null, y: null };

async function content(file) {
  return file === null ? new Uint8Array(0) : new Uint8Array(await file.arrayBuffer());
}

async function compare() {
  $("arrays-more").hidden = true;
  if (files.a === null || files.b === null) {
    throw new Error("choose two files, A and B");
  }
  const op = $("op").value;
  if (op !== "" && files.x === null) {
    throw new Error("choose the file X with the input of the operation");
  }
  if (op === "matmul" && files.y === null) {
    throw new Error("choose the file Y with the right factor");
  }
  say("arrays-answer", "Comparing …");
  await new Promise((done) => setTimeout(done, 30)); // so that it is painted
  const input = op === "" ? null : files.x;
  const second = op === "matmul" ? files.y : null;
  showArrays(ask("compare", await content(files.a), await content(files.b), op,
    await content(input), await content(second)));
}

const words = {
  order: "the order of the additions",
  fma: "products that enter their additions unrounded (FMA)",
  accumulator: "the format of partial sums, or a compensated sum",
  flush: "subnormal numbers that become zeros",
  inputs: "inputs rounded to a shorter format",
  rounding: "the direction of rounding, or one rounding more",
  fused: "sums of several products at once",
  libm: "the implementation of a function",
  exact: "a correctly rounded result",
};

function showArrays(d) {
  if (d.differing === 0) {
    say("arrays-answer", `The arrays are the same bits: ${count(d.count, "element")}.`, "right");
    return;
  }
  const median = d.median_ulps > 0 ? `, half of these by ${ulps(d.median_ulps)} or less` : "";
  say("arrays-answer",
    `${d.differing.toLocaleString("en")} of ${count(d.count, "element")} differ${median}; ` +
      `by ${ulps(d.max_ulps)} at most` +
      (d.worst === null ? "." : `, at [${d.worst.join(", ")}].`), "wrong");
  $("cause").textContent = cause(d.explanation);
  showBits(d);
  showHistogram(d);
  const facts = [
    ["first difference", d.first === null ? "none" : `[${d.first.join(", ")}]`],
    ["numbers of different signs", d.sign_flips], ["NaN in one of the two", d.nan],
    ["an infinity in one of the two", d.inf], ["+0 against −0", d.zeros],
    ["subnormal numbers", d.subnormals],
  ];
  $("facts").tBodies[0].replaceChildren(...facts.map(([name, value]) => {
    const row = document.createElement("tr");
    row.append(
      Object.assign(document.createElement("th"), { scope: "row", textContent: name }),
      Object.assign(document.createElement("td"), { textContent: value.toLocaleString("en") })
    );
    return row;
  }));
  $("arrays-more").hidden = false;
}

function cause(explanation) {
  if (explanation === null) {
    return "";
  }
  if (!explanation.explained) {
    return `Unexplained: ${explanation.reason}`;
  }
  const names = explanation.causes.map((c) => words[c] ?? c);
  return `The results differ in ${names.join(" and ")}.`;
}

function showBits(d) {
  const most = Math.max(...d.bits, 1);
  const fraction = { f64: 52, f32: 23, f16: 10, bf16: 7 }[d.dtype];
  const bars = d.bits.map((n, k) => {
    const bar = document.createElement("i");
    bar.style.height = `${(100 * n) / most}%`;
    bar.title = `bit ${k}: ${n.toLocaleString("en")}`;
    bar.className = k === d.bits.length - 1 ? "sign" : k >= fraction ? "exponent" : "";
    return bar;
  });
  $("bits").replaceChildren(...bars.reverse());
  $("bits").setAttribute("role", "img");
  const changed = d.bits.map((n, k) => [n, k]).filter(([n]) => n > 0);
  $("bits").setAttribute("aria-label",
    changed.map(([n, k]) => `bit ${k}: ${n}`).join(", "));
}

function showHistogram(d) {
  const most = Math.max(...d.histogram.map((b) => b.count), 1);
  $("histogram").replaceChildren(...d.histogram.flatMap((b) => {
    const bar = document.createElement("i");
    bar.style.width = `${(100 * b.count) / most}%`;
    const name = Object.assign(document.createElement("span"), {
      textContent: b.from === b.to ? `${b.from}` : `${b.from} to ${b.to}`,
    });
    const number = Object.assign(document.createElement("span"), {
      textContent: b.count.toLocaleString("en"),
    });
    return [name, bar, number];
  }));
}

// npy returns a file of float32 numbers.
function npy(name, shape, values) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }`.padEnd(117);
  const head = [0x93, ...new TextEncoder().encode("NUMPY"), 1, 0, 118, 0];
  return new File([Uint8Array.from(head), `${header}\n`, Float32Array.from(values)], name);
}

// choose puts a file into its place.
function choose(key, file) {
  files[key] = file;
  const list = new DataTransfer();
  list.items.add(file);
  $(key).files = list.files;
}

// The example adds rows of numbers from left to right, and from right to left.
function example() {
  const rows = Array.from({ length: 400 }, (_, r) =>
    Array.from({ length: 50 }, (_, i) => Math.fround(Math.sin(r * 50 + i) * 10 ** (i % 5))));
  const sum = (row) => row.reduce((s, v) => Math.fround(s + v));
  choose("a", npy("left.npy", "400,", rows.map(sum)));
  choose("b", npy("right.npy", "400,", rows.map((row) => sum([...row].reverse()))));
  choose("x", npy("rows.npy", "400, 50", rows.flat()));
  $("op").value = "sum";
  return compare();
}

function chooseFiles() {
  for (const key of Object.keys(files)) {
    $(key).addEventListener("change", () => {
      files[key] = $(key).files[0] ?? null;
    });
  }
  const drop = $("drop");
  drop.addEventListener("dragover", (e) => {
    e.preventDefault();
    drop.classList.add("over");
  });
  drop.addEventListener("dragleave", () => drop.classList.remove("over"));
  drop.addEventListener("drop", (e) => {
    e.preventDefault();
    drop.classList.remove("over");
    take([...e.dataTransfer.files]);
  });
}

// take puts dropped files into the free places, A and B first.
function take(dropped) {
  if (dropped.length === 0) {
    return; // a text was dropped
  }
  const places = dropped.length >= 2 ? ["a", "b"] : files.a === null ? ["a"] : ["b"];
  places.forEach((key, k) => choose(key, dropped[k]));
  if (files.a !== null && files.b !== null) {
    $("compare").click();
  }
}

// lastbitReady is called by the program when it can answer.
function lastbitReady() {
  for (const name of ask("functions")) {
    $("function").append(new Option(name, name, name === "sin", name === "sin"));
  }
  on("add", "sum-answer", add);
  on("shuffle", "sum-answer", () => shuffle(1));
  on("many", "sum-answer", () => shuffle(20));
  on("one", "function-answer", computeOne);
  on("scan", "function-answer", scan);
  on("compare", "arrays-answer", compare);
  on("example", "arrays-answer", example);
  chooseFiles();
  document.body.dataset.ready = "yes";
  $("add").click();
}

async function start() {
  const packed = Uint8Array.from(atob(program), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  const go = new Go();
  const { instance } = await WebAssembly.instantiate(
    await new Response(stream).arrayBuffer(), go.importObject);
  go.run(instance);
}

start().catch((e) => {
  document.querySelector(".lead").textContent =
    `This browser cannot run the page: ${e.message}. It needs WebAssembly and DecompressionStream.`;
});
