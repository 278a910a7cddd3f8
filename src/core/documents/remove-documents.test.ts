import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aDocument } from '../../../test/support/model/builders.ts'
import { inRemovalOrder } from './remove-documents.ts'

const at = (path: string) => aDocument({ id: path, path })
const idsOf = (documents: Parameters<typeof inRemovalOrder>[0]) => inRemovalOrder(documents).map(({ id }) => id)

test('what is below another of them goes with it', () => {
  assert.deepEqual(idsOf([at('/a/b/c'), at('/a'), at('/a-b'), at('/ab')]), ['/a', '/a-b', '/ab'])
  assert.deepEqual(idsOf([at('/a/b/c'), at('/a/b-c')]), ['/a/b-c', '/a/b/c'])
})

test('proxies go first and versions last, but not those whose live document goes', () => {
  const proxy = aDocument({ id: 'proxy', path: '/z', isProxy: true })
  const version = aDocument({ id: 'version', path: null, isVersion: true, seriesId: 'elsewhere' })
  const following = aDocument({ id: 'following', path: null, isVersion: true, seriesId: '/a' })
  assert.deepEqual(idsOf([version, following, at('/a'), proxy]), ['proxy', '/a', 'version'])
})

test('each document is removed itself or is below one that is, whatever the order they come in', () => {
  const paths = fc.uniqueArray(fc.array(fc.constantFrom('a', 'b', 'a-b'), { minLength: 1, maxLength: 4 }), {
    selector: (names) => names.join('/'),
    maxLength: 10,
  })
  fc.assert(
    fc.property(paths, (lists) => {
      const documents = lists.map((names) => at(`/${names.join('/')}`))
      const removed = idsOf(documents)
      for (const { id } of documents) assert.ok(removed.some((root) => id === root || id.startsWith(`${root}/`)))
      for (const one of removed) for (const other of removed) assert.ok(!one.startsWith(`${other}/`))
    }),
  )
})
