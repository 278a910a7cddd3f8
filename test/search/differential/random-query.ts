import type { Random } from '../../faults/kill/random.ts'
import { happens, inOneWay, oneOf, times } from './chance.ts'
import type { Clause, QueryParts } from './query-text.ts'
import { aLeaf, type Subjects, someAlike } from './random-leaf.ts'
import { aPlace } from './random-place.ts'

const maxDepth = 3

/** A query for documents, for rows, or for totals. */
export function aQuery(random: Random, subjects: Subjects): QueryParts {
  const select = inOneWay(random, [
    [7, () => oneOf(random, ['*', '*', 'ecm:uuid', 'DISTINCT ecm:uuid'])],
    [2, () => `${oneOf(random, ['', '', 'DISTINCT '])}${someColumns(random, subjects)}`],
    [1, () => someTotals(random, subjects)],
  ])
  const isOfRows = !/^(?:\*|(?:DISTINCT )?ecm:uuid)$/.test(select)
  return {
    select,
    from: aSource(random),
    ...(happens(random, 0.95) && { where: aClause(random, subjects, 0) }),
    order: isOfRows ? orderOfRows(random, select) : select.startsWith('DISTINCT') ? [] : someOrder(random, subjects),
    ...(!isOfRows && happens(random, 0.15) && { limit: random.between(0, 20), offset: random.between(0, 10) }),
  }
}

function aSource(random: Random): string {
  return oneOf(random, [
    'Document',
    'Document',
    'Document',
    'document',
    'File',
    'Note, Folder',
    'Thing',
    'SubThing, Box',
    'Relation',
    'Folder, Relation',
  ])
}

function aClause(random: Random, subjects: Subjects, depth: number): Clause {
  const deeper = () => aClause(random, subjects, depth + 1)
  const leaf = (): Clause => ({ kind: 'leaf', text: aLeaf(random, subjects) })
  if (depth === maxDepth) return leaf()
  return inOneWay<Clause>(random, [
    [4, leaf],
    [3, () => ({ kind: 'and', operands: times(random, 2, 4, deeper) })],
    [2, () => ({ kind: 'or', operands: times(random, 2, 4, deeper) })],
    [
      1,
      () => ({
        kind: oneOf(random, ['and', 'or']),
        operands: someAlike(random, subjects).map((text) => ({ kind: 'leaf', text })),
      }),
    ],
    [1.5, () => ({ kind: 'not', operand: deeper() })],
  ])
}

function someColumns(random: Random, subjects: Subjects): string {
  const columns = times(random, 1, 4, () =>
    inOneWay(random, [
      [6, () => aPlace(random, subjects.properties, { wildcards: true, lists: false })?.written ?? 'dc:title'],
      [
        2,
        () =>
          oneOf(random, ['ecm:uuid', 'ecm:name', 'ecm:primaryType', 'ecm:isProxy', 'ecm:versionLabel', 'ecm:path', 'ecm:pos']),
      ],
      [1, () => oneOf(random, ['ecm:tag', 'ecm:acl/*1/principal', 'ecm:acl/*/grant'])],
    ]),
  )
  return [...new Set(columns)].join(', ')
}

function someTotals(random: Random, subjects: Subjects): string {
  const totals = times(random, 1, 3, () => {
    const place = aPlace(random, subjects.properties, { wildcards: happens(random, 0.3), lists: false })
    if (place === undefined || place.type === 'boolean') return 'COUNT(ecm:uuid)'
    const isNumber = place.type === 'long' || place.type === 'double'
    return `${oneOf(random, isNumber ? ['COUNT', 'SUM', 'AVG', 'MIN', 'MAX'] : ['COUNT', 'MIN', 'MAX'])}(${place.written})`
  })
  return [...new Set(totals)].join(', ')
}

/** By some of the columns. Tags and entries have no order. */
function orderOfRows(random: Random, select: string): readonly string[] {
  if (select.includes('(')) return []
  const columns = select.replace('DISTINCT ', '').split(', ')
  const sortable = columns.filter((column) => !/^ecm:(?:tag|acl)/.test(column) && happens(random, 0.4))
  return sortable.map((column) => `${column}${oneOf(random, ['', ' DESC'])}`)
}

function someOrder(random: Random, subjects: Subjects): readonly string[] {
  if (happens(random, 0.4)) return []
  return times(random, 1, 4, () => {
    const place = aPlace(random, subjects.properties, { wildcards: false, lists: false })
    const system = [
      'ecm:path',
      'ecm:name',
      'ecm:pos',
      'ecm:uuid',
      'ecm:primaryType',
      'ecm:isVersion',
      'ecm:versionCreated',
      'ecm:lockOwner',
      'ecm:parentId',
    ]
    const key = place === undefined || happens(random, 0.4) ? oneOf(random, system) : place.written
    return `${key}${oneOf(random, ['', ' ASC', ' DESC'])}`
  })
}
