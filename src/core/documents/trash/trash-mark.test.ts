import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aStoredDocument } from '../../../../test/support/stored-document.ts'
import { createListenerTable } from '../../event.ts'
import type { DocumentEvent, Listener, WriteSession } from '../../session.ts'
import { markBelow } from './trash-mark.ts'

const before = aStoredDocument({ id: 'before', path: '/folder/trashed before', isTrashed: true })
const leaf = aStoredDocument({ id: 'leaf', path: '/folder/leaf', isTrashed: true })

/** A session that notes what is asked of its store. */
function aSession(...listeners: readonly Listener[]) {
  const asked: string[] = []
  const documents = {
    listBelow: async () => {
      asked.push('listBelow')
      return [leaf, before]
    },
    setTrashedBelow: async (path: string, isTrashed: boolean) => {
      asked.push(`setTrashedBelow ${path} ${isTrashed}`)
      return [leaf.id]
    },
  }
  const repository = { listeners: createListenerTable(listeners), name: 'default' }
  const session = {
    tx: { documents },
    repository,
    events: { add: ({ document }: DocumentEvent) => asked.push(`told of ${document.id}`) },
  } as unknown as WriteSession
  return { session, asked }
}
const named = { name: 'somebody', events: ['documentTrashed'], handle: () => {} }

test('without a listener, what is below a trashed folder is not read at all', async () => {
  const { session, asked } = aSession({ ...named, when: 'inline', events: ['documentUntrashed'] })
  await markBelow(session, '/folder', true, {})
  assert.deepEqual(asked, ['setTrashedBelow /folder true'])
})

for (const when of ['inline', 'afterCommit', 'asynchronous'] as const) {
  test(`a listener (${when}) is told of what is below, once it is flagged`, async () => {
    const { session, asked } = aSession({ ...named, when } as Listener)
    await markBelow(session, '/folder', true, {})
    assert.deepEqual(asked, ['setTrashedBelow /folder true', 'listBelow', 'told of leaf'])
  })
}
