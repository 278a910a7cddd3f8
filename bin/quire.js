#!/usr/bin/env node
// Plain JavaScript, so that nothing has to read TypeScript before the cache of compiled modules is on, and nothing has to at all once
// that is filled: loading what does took 50 ms of every start, and from the cache the server itself loads in half the time. The
// cache stands beside the modules because in the shared temporary folder, the default, another user of the machine could leave code
// for us to run. Programs that the server starts find it by the variable.
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import module, { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { runsBundle } from './bundle-current.js'
import { asksToServe, forkAhead } from './worker-process.js'

const oldestMajor = 24
const root = join(import.meta.dirname, '..')

if (Number.parseInt(process.versions.node, 10) < oldestMajor) runOnOwnNode()
else await run()

async function run() {
  process.env.NODE_COMPILE_CACHE ??= join(root, 'node_modules/.cache/quire')
  if (asksToServe(process.argv.slice(2))) forkAhead()
  module.enableCompileCache(process.env.NODE_COMPILE_CACHE)
  await import((await runsBundle(root, process)) ? '../dist/quire.js' : '../src/main.ts')
}

/** Any Node.js can start the program: the one that it needs is among its dependencies. */
function runOnOwnNode() {
  const node = findOwnNode()
  if (node === undefined) {
    console.error(
      `quire: needs Node.js ${oldestMajor} or later, and this is ${process.versions.node}; the package "node", which brings one, was not installed: npm rebuild node`,
    )
    process.exit(2)
  }
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal))
  child.on('error', (error) => {
    console.error(
      `quire: cannot start ${node}, the Node.js that it needs: ${error.message}; to install it anew: npm rebuild node`,
    )
    process.exit(1)
  })
  child.on('exit', (code, signal) => process.exit(code ?? (signal === null ? 1 : 128)))
}

function findOwnNode() {
  try {
    const node = join(dirname(createRequire(import.meta.url).resolve('node/package.json')), 'bin/node')
    return existsSync(node) ? node : undefined
  } catch {
    return undefined // not installed
  }
}
