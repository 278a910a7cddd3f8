// After the build: each file once more as browsers take it, so that the server compresses nothing while it serves.
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const folder = join(import.meta.dirname, 'dist')
for (const name of globSync('assets/*.{css,js,mjs,svg,json}', { cwd: folder })) {
  const bytes = readFileSync(join(folder, name))
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  writeFileSync(join(folder, `${name}.br`), brotli)
  writeFileSync(join(folder, `${name}.gz`), gzipSync(bytes, { level: 9 }))
}
