import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cachedDataVersionTag } from 'node:v8'
import { constants, Script } from 'node:vm'
import { crc32 } from 'node:zlib'

// A script has no other way to import what is no part of it. That Node.js calls it experimental is nothing that who runs a server, or any
// command with a configuration file, could do anything about.
const { emitWarning } = process
process.emitWarning = (/** @type {[any, any]} */ ...told) => {
  if (!String(told[0]).startsWith('vm.USE_MAIN_CONTEXT_DEFAULT_LOADER ')) emitWarning(...told)
}

/**
 * Runs a script of the bundle as it was compiled at an earlier start. What Node.js caches of a module is taken before it runs, and so
 * has none of the functions that it calls: compiling those anew, and finding sixty modules, took a third of the processor time until
 * the server listens.
 * @param {string} file the script, a function body that gives its exports away as a CommonJS module does
 * @param {string} moduleUrl the address of the module that stands for it, from which it finds what lies beside it
 */
export function loadScript(file, moduleUrl) {
  const source = readFileSync(file)
  const place = compiledPlace(file, source)
  const cachedData = place && readCompiled(place)
  const parameters = 'exports, require, module, moduleUrl, moduleFolder'
  const script = new Script(`(function (${parameters}) {${source.latin1Slice()}\n})`, {
    filename: file,
    ...(cachedData && { cachedData }),
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  let isKept = cachedData !== undefined && script.cachedDataRejected === false
  const module = { exports: {} }
  const modulePath = fileURLToPath(moduleUrl)
  script.runInThisContext()(module.exports, createRequire(modulePath), module, moduleUrl, dirname(modulePath))
  return {
    exports: module.exports,
    keepCompiled: () => {
      if (place === undefined || isKept) return
      // Meanwhile somebody may have given V8 other options, for which the next start would not take it.
      if (compiledPlace(file, source)?.name === place.name) writeCompiled(place, script.createCachedData())
      isKept = true
    },
  }
}

/**
 * Where it is kept: with what Node.js compiles (`bin/quire.js`). V8 looks at the length of the source alone, so the name has its check
 * sum, and that of V8 with its options.
 * @param {string} file @param {Buffer} source
 */
function compiledPlace(file, source) {
  const folder = process.env.NODE_COMPILE_CACHE
  if (folder === undefined || process.env.NODE_DISABLE_COMPILE_CACHE === '1') return undefined
  const family = `${basename(file, extname(file))}-${cachedDataVersionTag().toString(16)}-`
  return { folder, family, name: `${family}${crc32(source).toString(16)}` }
}

/** @typedef {{ folder: string, family: string, name: string }} Place */

const checkSumBytes = 4

/** Undefined where there is none, or one that was not written to its end. @param {Place} place */
function readCompiled({ folder, name }) {
  try {
    const kept = readFileSync(join(folder, name))
    const compiled = kept.subarray(0, -checkSumBytes)
    return kept.length > checkSumBytes && crc32(compiled) === kept.readUInt32LE(compiled.length) ? compiled : undefined
  } catch {
    return undefined // there is none yet
  }
}

/** Takes the place of those for sources that are no more. @param {Place} place @param {Buffer} compiled */
function writeCompiled({ folder, family, name }, compiled) {
  const checkSum = Buffer.alloc(checkSumBytes)
  checkSum.writeUInt32LE(crc32(compiled))
  const unfinished = join(folder, `${name}.${process.pid}`)
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(unfinished, Buffer.concat([compiled, checkSum]), { mode: 0o600 })
    renameSync(unfinished, join(folder, name))
    const outdated = readdirSync(folder).filter((other) => other.startsWith(family) && other !== name)
    for (const other of outdated) rmSync(join(folder, other), { force: true })
  } catch {
    // A folder that cannot be written to costs the next start its time and nothing else.
  }
}
