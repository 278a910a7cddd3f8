import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type Ace, type Acl, deny, effectiveAces, grant } from '../../../model/rights/acl.ts'
import { type AcpReplacement, type OwnRights, planRegions, planReplacements, type Region } from './acl-inheritance.ts'

const block = deny('Everyone', 'Everything')
const alice = grant('alice', 'Read')
const local = (...aces: Ace[]): Acl[] => [{ name: 'local', aces }]
const top = (acpId: number, ...aces: Ace[]): Region => ({ path: '/a', acpId, aces })

describe('planning what a change of rights replaces', () => {
  test('is one replacement for the whole subtree where each list has one successor', () => {
    const regions = planRegions(top(1, alice), [{ path: '/a/b', acls: local(grant('bob', 'Read')), acpId: 2 }])
    const ids = new Map(regions.map(({ aces }, index) => [aces, 10 + index]))
    assert.deepEqual(
      planReplacements(regions, (aces) => ids.get(aces) as number),
      [
        {
          path: '/a',
          pairs: [
            [1, 10],
            [2, 11],
          ],
        },
      ],
    )
  })

  test('is none where nothing changes', () => {
    assert.deepEqual(
      planReplacements(planRegions(top(1, alice), []), () => 1),
      [],
    )
  })

  test('goes region by region where two regions had one list and get two', () => {
    const regions = planRegions(top(1, alice), [{ path: '/a/b', acls: local(block), acpId: 1 }])
    const ids = new Map(regions.map(({ aces }, index) => [aces, index === 0 ? 10 : 1]))
    assert.deepEqual(
      planReplacements(regions, (aces) => ids.get(aces) as number),
      [
        { path: '/a', pairs: [[1, 10]] },
        { path: '/a/b', pairs: [[10, 1]] },
      ],
    )
  })

  test('computes the same inheritance once', () => {
    const own = local(grant('bob', 'Read'))
    const regions = planRegions(top(1, alice), [
      { path: '/a/b', acls: own, acpId: 2 },
      { path: '/a/c', acls: own, acpId: 2 },
    ])
    assert.equal(regions[1]?.aces, regions[2]?.aces)
  })

  test('brings every document of any tree to what walking up gives', () => {
    fc.assert(
      fc.property(anyTree, anyAcls, (own, acls) => {
        const ids = createInterner()
        const before = effectiveEverywhere(own, (aces) => ids(aces))
        const below = [...own]
          .filter(([path, acls]) => path !== '/a' && acls.length > 0)
          .sort(([left], [right]) => (left < right ? -1 : 1))
          .map(([path, acls]): OwnRights => ({ path, acls, acpId: before.get(path) as number }))
        const regions = planRegions({ path: '/a', acpId: before.get('/a') as number, aces: effectiveAces(acls, []) }, below)
        const after = new Map(before)
        for (const replacement of planReplacements(regions, ids)) apply(replacement, after)
        assert.deepEqual(after, effectiveEverywhere(new Map([...own, ['/a', acls]]), ids))
      }),
      { numRuns: 2_000 },
    )
  })
})

function apply({ path, pairs }: AcpReplacement, acpIds: Map<string, number>): void {
  const successors = new Map(pairs)
  for (const [at, acpId] of acpIds) {
    if (at === path || at.startsWith(`${path}/`)) acpIds.set(at, successors.get(acpId) ?? acpId)
  }
}

function createInterner(): (aces: readonly Ace[]) => number {
  const ids = new Map<string, number>()
  return (aces) => {
    const key = JSON.stringify(aces)
    const id = ids.get(key) ?? ids.size + 1
    ids.set(key, id)
    return id
  }
}

function effectiveEverywhere(own: ReadonlyMap<string, Acl[]>, idOf: (aces: readonly Ace[]) => number): Map<string, number> {
  const effective = (path: string): readonly Ace[] =>
    effectiveAces(own.get(path) ?? [], path === '/a' ? [] : effective(path.slice(0, path.lastIndexOf('/'))))
  return new Map([...own.keys()].map((path) => [path, idOf(effective(path))]))
}

const anyAcls = fc.subarray([alice, grant('bob', 'Write'), block]).map((aces): Acl[] => (aces.length === 0 ? [] : local(...aces)))
/** Paths below `/a` with the ACLs of each; few names, so that they nest and stand around the slash in order. */
const anyTree = fc.array(fc.tuple(fc.nat(), fc.constantFrom('a', 'a-b', 'b', '0'), anyAcls), { maxLength: 12 }).map((nodes) => {
  const own = new Map<string, Acl[]>([['/a', []]])
  for (const [at, name, acls] of nodes) {
    const parents = [...own.keys()]
    own.set(`${parents[at % parents.length]}/${name}`, acls)
  }
  return own
})
