// The first half of `npm run build`, which makes dist/, the package as it is installed: Node.js strips no types below node_modules, so
// it is JavaScript there, and bundled, because a server that loads a few files starts faster than one that loads a thousand. An
// argument names another folder.
// `npm ci` makes it, too, so that a checkout starts as fast.
import { cpSync, globSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { build } from 'esbuild'

const root = resolve(import.meta.dirname, '..')
const dist = resolve(process.argv[2] ?? join(root, 'dist'))

rmSync(dist, { recursive: true, force: true })
await build({
  absWorkingDir: root,
  entryPoints: {
    quire: 'src/main.ts',
    index: 'src/index.ts',
    testing: 'src/testing.ts',
    'checkpoint-thread-program': 'src/store/sqlite/checkpoint/checkpoint-thread-program.ts',
    'search-process-program': 'src/store/sqlite/search/search-process-program.ts',
  },
  outdir: dist,
  // What several of these hold is in chunks beside them: whoever imports `quire` gets the very modules that the server runs.
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  packages: 'external',
  logLevel: 'warning',
})
// Modules read these beside themselves, and in dist/ all modules are in one folder.
for (const data of globSync('src/features/*/data', { cwd: root }))
  cpSync(join(root, data), join(dist, 'data'), { recursive: true })
