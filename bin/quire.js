#!/usr/bin/env node
// Plain JavaScript, so that nothing has to read TypeScript before the cache of compiled modules is on, and nothing has to at all once
// that is filled: loading what does took 50 ms of every start, and from the cache the server itself loads in half the time. The
// cache stands beside the modules because in the shared temporary folder, the default, another user of the machine could leave code
// for us to run. Programs that the server starts find it by the variable.
import module from 'node:module'
import { join } from 'node:path'

const oldestMajor = 24

if (Number.parseInt(process.versions.node, 10) < oldestMajor) {
  console.error(
    `quire: needs Node.js ${oldestMajor} or later, and this is ${process.versions.node}; the project brings its own: npx node bin/quire.js`,
  )
  process.exit(2)
}

process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, '../node_modules/.cache/quire')
module.enableCompileCache(process.env.NODE_COMPILE_CACHE)

await import('../src/main.ts')
