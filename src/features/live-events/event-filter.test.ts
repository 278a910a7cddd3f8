import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { OutboxEvent } from '../outbox/index.ts'
import { createEventFilter } from './event-filter.ts'

const note: NonNullable<OutboxEvent['document']> = {
  id: 'n1',
  type: 'Note',
  path: '/a/b/note',
  lifeCycle: 'project',
  acpId: 1,
  parentId: 'b',
  changeToken: '1-0',
}

function anEvent(given: Partial<OutboxEvent> = {}): OutboxEvent {
  return {
    position: 1,
    event: 'documentModified',
    repository: 'default',
    date: '2031-01-01T00:00:00.000Z',
    principalName: 'ann',
    category: null,
    comment: null,
    document: note,
    isQuiet: false,
    extended: null,
    membershipGeneration: undefined,
    trace: null,
    ...given,
  }
}

const moved = anEvent({ event: 'documentMoved', comment: 'default:old' })
const ofUser = anEvent({ event: 'user_created', document: undefined })
const version = anEvent({ document: { ...note, path: null, parentId: null } })

describe('a filter of live events', () => {
  const cases: readonly [what: string, wanted: Parameters<typeof createEventFilter>[0], event: OutboxEvent, expected: boolean][] =
    [
      ['without criteria takes all', {}, anEvent(), true],
      ['without criteria takes what happened to no document', {}, ofUser, true],
      ['with blank values takes all', { event: [], type: [], path: [] }, anEvent(), true],
      ['takes events by name', { event: ['documentCreated', 'documentModified'] }, anEvent(), true],
      ['leaves out other events', { event: ['documentCreated'] }, anEvent(), false],
      ['takes documents by type', { type: ['Note'] }, anEvent(), true],
      ['leaves out other types', { type: ['File'] }, anEvent(), false],
      ['leaves out what has no type', { type: ['Note'] }, ofUser, false],
      ['takes a document by its id', { document: ['n1'] }, anEvent(), true],
      ['leaves out other documents', { document: ['n2'] }, anEvent(), false],
      ['takes the children of a folder', { parent: ['b'] }, anEvent(), true],
      ['takes children that were moved away', { parent: ['old'] }, moved, true],
      ['knows nothing of places in other comments', { parent: ['old'] }, anEvent({ comment: 'default:old' }), false],
      ['leaves out children of other folders', { parent: ['a'] }, anEvent(), false],
      ['leaves out what has no parent', { parent: [''] }, version, false],
      ['takes what is below a path', { path: ['/x', '/a'] }, anEvent(), true],
      ['takes what has that path', { path: ['/a/b/note'] }, anEvent(), true],
      ['takes no heed of a slash at the end', { path: ['/a/b/'] }, anEvent(), true],
      ['takes all below the root', { path: ['/'] }, anEvent(), true],
      ['leaves out siblings whose name begins alike', { path: ['/a/b/no'] }, anEvent(), false],
      ['leaves out what has no path', { path: ['/'] }, version, false],
      ['wants each criterion to hold', { type: ['Note'], event: ['documentCreated'] }, anEvent(), false],
      ['is content where all hold', { type: ['Note'], path: ['/a'], parent: ['b'] }, anEvent(), true],
    ]
  for (const [what, wanted, event, expected] of cases) {
    test(what, () => assert.equal(createEventFilter(wanted)(event), expected))
  }

  test('is refused beyond its bounds, and for a path that is none', () => {
    const many = Array.from({ length: 51 }, (_, index) => String(index))
    assert.throws(() => createEventFilter({ document: many }), { code: 'tooManyFilterValues', message: /document.*50/ })
    assert.throws(() => createEventFilter({ type: ['x'.repeat(2_001)] }), { code: 'filterValueTooLong' })
    assert.throws(() => createEventFilter({ path: ['a/b'] }), { code: 'filterPathWrong', message: /a\/b/ })
  })
})
