#!/usr/bin/env node
"use strict";

// Starts the program of the package for this platform, which npm installed as
// an optional dependency.

const { spawn } = require("child_process");
const os = require("os");

function candidates() {
  const name = `${process.platform}-${process.arch}`;
  if (process.platform !== "linux") {
    return [name];
  }
  const { glibcVersionRuntime } = process.report.getReport().header;
  return glibcVersionRuntime ? [name, `${name}-musl`] : [`${name}-musl`];
}

function find() {
  const program = process.platform === "win32" ? "lastbit.exe" : "lastbit";
  for (const name of candidates()) {
    try {
      return require.resolve(`@lastbit/${name}/bin/${program}`);
    } catch {
      // the next one
    }
  }
  return undefined;
}

const program = find();
if (program === undefined) {
  console.error(
    `lastbit: there is no package @lastbit/${candidates()[0]}: npm left optional dependencies ` +
      "out, or there is none for this platform; install without --omit=optional, or build " +
      "lastbit with Go"
  );
  process.exit(2);
}
// The program ends with this process. A terminal interrupts both by itself.
// Node calls these functions after the last line here, so that they find the
// child; installed later, they would miss a signal while it starts.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (error) => {
  console.error(`lastbit: ${error.message}`);
  process.exit(2);
});
child.on("exit", (code, signal) => {
  process.exit(signal ? 128 + os.constants.signals[signal] : code);
});
