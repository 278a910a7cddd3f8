// Builds the console into console/dist, unless what is there is newer than all its sources. Each file lies there once more as browsers
// take it, so that the server compresses nothing while it serves.
import { globSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const folder = join(import.meta.dirname, 'dist')
const changedAt = (/** @type {string} */ path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

function isCurrent() {
  const builtAt = changedAt(join(folder, 'built'))
  const sources = globSync(['src/**', 'index.html', 'vite.config.ts', 'package.json'], { cwd: import.meta.dirname })
  return builtAt > 0 && sources.every((source) => changedAt(join(import.meta.dirname, source)) < builtAt)
}

function compress() {
  for (const name of globSync('assets/*.{css,js,mjs,svg,json}', { cwd: folder })) {
    const bytes = readFileSync(join(folder, name))
    const params = { [constants.BROTLI_PARAM_QUALITY]: bytes.length > 1_000_000 ? 9 : 11 }
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(bytes, { params }))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
  }
}

if (!isCurrent()) {
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn' })
  compress()
  // Last, for where it is the build is whole.
  writeFileSync(join(folder, 'built'), '')
}
