import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { type SuggestedEntry, suggestionTree, type TreeOptions } from './suggestion-tree.ts'

const usual: TreeOptions = {
  canSelectParent: false,
  displayObsoleteEntries: false,
  keySeparator: '/',
  absoluteLabelSeparator: '>',
  language: 'en',
  obsoleteWarning: 'old',
}

function place(id: string, parentKey?: string, more: Partial<SuggestedEntry> = {}): SuggestedEntry {
  const label = id.toUpperCase()
  return { key: id, parentKey, id, directory: 'places', label, ordering: 0, isObsolete: false, fields: { id, label }, ...more }
}

interface Shown {
  readonly displayLabel: string
  readonly computedId?: string
  readonly warn_message?: string
  readonly children?: readonly Shown[]
}

const places = [
  place('world'),
  place('europe', 'world'),
  place('peru', 'world'),
  place('france', 'europe'),
  place('italy', 'europe'),
]

async function treeOf(
  matched: readonly SuggestedEntry[],
  options: Partial<TreeOptions> = {},
  known = places,
): Promise<readonly Shown[]> {
  const byKey = new Map(known.map((one) => [one.key, one]))
  const tree = await suggestionTree(
    matched,
    (key) => byKey.get(key),
    { ...usual, ...options },
    () => undefined,
  )
  return tree as readonly Shown[]
}

const outline = (nodes: readonly Shown[]): unknown =>
  nodes.map(({ displayLabel, children }) => (children === undefined ? displayLabel : { [displayLabel]: outline(children) }))

const named = (...ids: readonly string[]) => ids.map((id) => places.find((one) => one.id === id) as SuggestedEntry)

describe('suggested entries', () => {
  test('stand below those that they belong to', async () => {
    assert.deepEqual(outline(await treeOf(named('italy', 'france', 'peru'))), [
      { WORLD: [{ EUROPE: ['FRANCE', 'ITALY'] }, 'PERU'] },
    ])
  })

  test('have all that they hold, twice, and the way to them by ids and labels', async () => {
    const [world] = await treeOf(named('france'))
    const [france] = world?.children?.[0]?.children ?? []
    assert.deepEqual(france, {
      id: 'france',
      label: 'FRANCE',
      displayLabel: 'FRANCE',
      directoryName: 'places',
      properties: { id: 'france', label: 'FRANCE' },
      'entity-type': 'directoryEntry',
      computedId: 'world/europe/france',
      absoluteLabel: 'WORLD>EUROPE>FRANCE',
    })
  })

  test('stand below headings, which are entries themselves when they can be selected', async () => {
    const [heading] = await treeOf(named('peru'))
    assert.deepEqual(Object.keys(heading ?? {}), ['displayLabel', 'children'])
    const [entry] = await treeOf(named('peru'), { canSelectParent: true })
    assert.equal(entry?.computedId, 'world')
    assert.equal(entry?.children?.length, 1)
  })

  test('are in the order of their ordering, then of their labels as people sort them', async () => {
    const flat = [
      place('zoe'),
      place('eclair', undefined, { label: 'Éclair' }),
      place('fig', undefined, { label: 'fig' }),
      place('last', undefined, { ordering: 2 }),
      place('first', undefined, { ordering: -1 }),
    ]
    assert.deepEqual(outline(await treeOf(flat)), ['FIRST', 'Éclair', 'fig', 'ZOE', 'LAST'])
  })

  test('that are obsolete are left out, or shown with a warning', async () => {
    const old = place('ussr', 'world', { isObsolete: true })
    assert.deepEqual(outline(await treeOf([old, ...named('peru')])), [{ WORLD: ['PERU'] }])
    const [world] = await treeOf([old], { displayObsoleteEntries: true })
    const [shown] = world?.children ?? []
    assert.equal(shown?.warn_message, 'old')
  })

  test('stay below a heading that is obsolete, and go with an obsolete one that could be selected', async () => {
    const old = place('gaul', undefined, { isObsolete: true })
    const child = place('lutetia', 'gaul')
    assert.deepEqual(outline(await treeOf([child], {}, [old, child])), [{ GAUL: ['LUTETIA'] }])
    assert.deepEqual(await treeOf([child], { canSelectParent: true }, [old, child]), [])
    const both = { canSelectParent: true, displayObsoleteEntries: true }
    assert.deepEqual(outline(await treeOf([child], both, [old, child])), [{ GAUL: ['LUTETIA'] }])
  })

  test('whose parent is unknown or goes in a circle are at the top', async () => {
    const [one, other] = [place('one', 'other'), place('other', 'one')]
    assert.deepEqual(outline(await treeOf([one], {}, [one, other])), [{ OTHER: ['ONE'] }])
    assert.deepEqual(outline(await treeOf([place('lost', 'nowhere')])), ['LOST'])
  })

  test('are each shown once, whatever stands below what', async () => {
    const forests = fc.array(fc.option(fc.nat(9), { nil: undefined }), { minLength: 1, maxLength: 10 })
    await fc.assert(
      fc.asyncProperty(forests, async (parents) => {
        const all = parents.map((parent, index) => place(`e${index}`, parent === undefined ? undefined : `e${parent}`))
        const count = (nodes: readonly Shown[]): number =>
          nodes.reduce((sum, { children }) => sum + (children === undefined ? 1 : count(children)), 0)
        const leaves = all.filter(({ key }) => !all.some(({ parentKey }) => parentKey === key))
        assert.equal(count(await treeOf(leaves, {}, all)), leaves.length)
      }),
    )
  })
})
