import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { permissions } from '../builtin/permissions.ts'
import { type Ace, deny, grant, isGrantedBy } from './acl.ts'
import { grantedUntil } from './granted-until.ts'
import { createPermissionTable } from './permission.ts'
import { createPrincipal } from './principal.ts'

const table = createPermissionTable(permissions)
const alice = createPrincipal('alice', ['editors', 'members'], { isAdministrator: false })
const past = '2024-01-01T00:00:00.000Z'
const now = '2024-06-01T00:00:00.000Z'
const future = '2024-12-31T00:00:00.000Z'

describe('what is granted now stays so', () => {
  const later = '2025-06-01T00:00:00.000Z'
  const until = (...aces: Ace[]) => grantedUntil(aces, alice, 'Read', table, now)
  const rows: [string, Ace[], string | null | undefined][] = [
    ['for good by an entry without end', [grant('alice', 'Read')], null],
    ['not at all without an entry', [], undefined],
    ['not at all before its entry begins', [grant('alice', 'Read', { begin: future })], undefined],
    ['until its entry ends', [grant('alice', 'Read', { end: future })], future],
    ['until the later of two ends', [grant('alice', 'Read', { end: future }), grant('editors', 'Read', { end: later })], later],
    ['for good where another entry goes on', [grant('alice', 'Read', { end: future }), grant('editors', 'Read')], null],
    [
      'until the first end where the other entry begins after that',
      [grant('alice', 'Read', { end: future }), grant('editors', 'Read', { begin: later })],
      future,
    ],
    [
      'until it is denied',
      [deny('alice', 'Read', { begin: future }), grant('alice', 'Read', { end: later })],
      '2024-12-30T23:59:59.999Z',
    ],
    ['past an entry that has ended', [deny('alice', 'Read', { end: past }), grant('alice', 'Read', { end: later })], later],
    ['not at all where a part of it is denied', [deny('alice', 'Browse'), grant('alice', 'Read')], undefined],
    [
      'until a part of it is denied',
      [deny('alice', 'Browse', { begin: future }), grant('alice', 'Read')],
      '2024-12-30T23:59:59.999Z',
    ],
    [
      'where a part of it that is denied is granted before',
      [grant('alice', 'Browse'), deny('alice', 'Browse'), grant('alice', 'Read')],
      null,
    ],
    ['where only more than it is denied', [deny('alice', 'Write'), grant('alice', 'ReadWrite')], null],
  ]
  for (const [title, aces, expected] of rows) test(title, () => assert.equal(until(...aces), expected))

  test('without looking at thousands of dated entries anew for each date', () => {
    let looks = 0
    const names = new (class extends Set<string> {
      override has(name: string): boolean {
        looks += 1
        return super.has(name)
      }
    })(['alice'])
    const dates = Array.from({ length: 5_000 }, (_, index) => new Date(Date.parse(now) + index * 1_000).toISOString())
    const aces = dates.flatMap((end) => [grant('alice', 'Read', { end }), grant('bob', 'Read', { end })])
    assert.equal(grantedUntil(aces, { ...alice, names }, 'Read', table, now), dates.at(-1))
    assert.ok(looks < 5 * aces.length, `${looks} looks at ${aces.length} entries`)
  })

  test('at every moment up to that, and not right after it', () => {
    const date = fc.option(fc.constantFrom(past, now, future, later), { nil: null })
    const ace = fc
      .record({ username: fc.constantFrom('alice', 'editors', 'bob'), granted: fc.boolean(), begin: date, end: date })
      .map((fields): Ace => ({ ...fields, permission: 'Read', creator: null }))
    const at = (aces: Ace[], time: number) => isGrantedBy(aces, alice, 'Read', table, new Date(time).toISOString())
    fc.assert(
      fc.property(fc.array(ace, { maxLength: 6 }), fc.double({ min: 0, max: 1, noNaN: true }), (aces, share) => {
        const found = until(...aces)
        if (found === undefined) return assert.equal(at(aces, Date.parse(now)), false)
        const last = found === null ? Date.parse('2026-01-01T00:00:00.000Z') : Date.parse(found)
        assert.ok(at(aces, Math.floor(Date.parse(now) + share * (last - Date.parse(now)))))
        if (found !== null) assert.equal(at(aces, last + 1), false)
      }),
    )
  })
})
