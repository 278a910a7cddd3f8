import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Transaction } from '../store.ts'
import { createChangeNotes } from './change-notes.ts'

/** A transaction whose ports do nothing, whatever they are asked. */
function anIdleTransaction(): Transaction {
  const methods = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, async () => undefined]))
  return {
    documents: methods(
      'find insert insertMany findForShare findForUpdate update move setTrashedBelow setPositions remove removeSubtree ' +
        'removeOrphanVersions refreshLatestFlags',
    ),
    acps: methods('intern replaceAcls clearVersions'),
    directories: methods('find insert update remove replaceTargets'),
    afterCommit() {},
  } as unknown as Transaction
}

async function changesOf(act: (tx: Transaction) => Promise<unknown>) {
  const notes = createChangeNotes()
  await act(notes.watch(anIdleTransaction()))
  return notes.take()
}

const document = { id: 'd' } as Parameters<Transaction['documents']['insert']>[0]
const nothing = { documents: new Set(), directories: false }

describe('of what a transaction does', () => {
  test('reading, locking and adding documents changes none that there was', async () => {
    const changes = await changesOf(async ({ documents, acps }) => {
      await documents.find('d')
      await documents.findForShare(document)
      await documents.findForUpdate('d')
      await documents.insert(document)
      await documents.insertMany([document])
      await acps.intern([])
    })
    assert.deepEqual(changes, nothing)
  })

  test('what changes one document is noted by its id', async () => {
    const changes = await changesOf(async ({ documents }) => {
      await documents.update(document, document)
      await documents.remove('e')
      await documents.setPositions(['f', 'g'])
    })
    assert.deepEqual(changes, { documents: new Set(['d', 'e', 'f', 'g']), directories: false })
  })

  const sweeping: { readonly [name: string]: (tx: Transaction) => Promise<unknown> } = {
    move: ({ documents }) => documents.move(document, { parentId: 'p', name: 'n', path: '/n', position: null }),
    setTrashedBelow: ({ documents }) => documents.setTrashedBelow('/a', true),
    removeSubtree: ({ documents }) => documents.removeSubtree(document),
    removeOrphanVersions: ({ documents }) => documents.removeOrphanVersions(['d']),
    refreshLatestFlags: ({ documents }) => documents.refreshLatestFlags('d'),
    replaceAcls: ({ acps }) => acps.replaceAcls(document, []),
    clearVersions: ({ acps }) => acps.clearVersions(['d']),
  }
  for (const [name, act] of Object.entries(sweeping)) {
    test(`${name} may change any document`, async () => {
      assert.deepEqual(await changesOf(act), { documents: 'any', directories: false })
    })
  }

  test('every write to a directory is noted', async () => {
    for (const act of [
      ({ directories }) => directories.insert('user', { id: 'u', values: {} }),
      ({ directories }) => directories.update('user', { id: 'u', values: {} }),
      ({ directories }) => directories.remove('user', 'u'),
      ({ directories }) => directories.replaceTargets('members', 'g', []),
    ] as ((tx: Transaction) => Promise<unknown>)[]) {
      assert.deepEqual(await changesOf(act), { documents: new Set(), directories: true })
    }
  })
})

test('what was taken is not told twice', async () => {
  const notes = createChangeNotes()
  const tx = notes.watch(anIdleTransaction())
  await tx.documents.update(document, document)
  await tx.documents.removeSubtree(document)
  await tx.directories.remove('user', 'u')
  notes.take()
  assert.deepEqual(notes.take(), nothing)
})
