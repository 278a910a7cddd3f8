import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const mostBytes = 180_000

test('the shell of the console is small: what is loaded before any screen', async (context) => {
  const built = join(import.meta.dirname, '../../console/dist')
  const page = await readFile(join(built, 'index.html'), 'utf8')
  const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+\.(?:js|css))"/g)].map(([, name = '']) => name)
  assert.ok(named.length > 0)
  const loaded = new Set<string>()
  for (const name of named) await follow(name)

  /** What a module imports is loaded with it; what it imports when it is needed is not. */
  async function follow(name: string): Promise<void> {
    if (loaded.has(name)) return
    loaded.add(name)
    if (!name.endsWith('.js')) return
    const text = await readFile(join(built, name), 'utf8')
    for (const [, imported = ''] of text.matchAll(/(?:from|import)\s*"\.\/([^"]+\.js)"/g)) await follow(`assets/${imported}`)
  }

  const sizes = await Promise.all([...loaded].map(async (name) => (await stat(join(built, `${name}.gz`))).size))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  context.diagnostic(`${total} bytes in ${loaded.size} files, compressed with gzip`)
  assert.ok(total <= mostBytes, `${total} bytes`)
})
