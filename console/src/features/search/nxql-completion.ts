import { type Token, tokensOf } from './nxql-tokens.ts'

/** What queries of a server may name. */
export interface QueryVocabulary {
  readonly types: readonly string[]
  /** Properties by xpath, with their types. */
  readonly fields: readonly { readonly name: string; readonly type: string }[]
  readonly facets: readonly string[]
}

export interface Completion {
  readonly text: string
  readonly hint: string
}

export interface Completions {
  /** Where the text begins that a completion stands for. */
  readonly from: number
  readonly items: readonly Completion[]
}

const systemFields = [
  'ecm:ancestorId',
  'ecm:currentLifeCycleState',
  'ecm:fulltext',
  'ecm:isCheckedIn',
  'ecm:isProxy',
  'ecm:isTrashed',
  'ecm:isVersion',
  'ecm:lockOwner',
  'ecm:mixinType',
  'ecm:name',
  'ecm:parentId',
  'ecm:path',
  'ecm:pos',
  'ecm:primaryType',
  'ecm:tag',
  'ecm:uuid',
  'ecm:versionLabel',
] as const
const operators = [
  '=',
  '!=',
  '<',
  '>',
  '<=',
  '>=',
  'LIKE',
  'ILIKE',
  'IN',
  'NOT IN',
  'BETWEEN',
  'STARTSWITH',
  'IS NULL',
  'IS NOT NULL',
]
const valued = new Set([...operators.filter((operator) => !operator.endsWith('NULL')), 'AND'])
const states = ['project', 'approved', 'obsolete', 'deleted']
const mostItems = 30

/** What may stand at the cursor of a query that is being written, the likeliest first. */
export function completionsAt(query: string, cursor: number, vocabulary: QueryVocabulary): Completions {
  const tokens = tokensOf(query.slice(0, cursor)).filter(({ kind }) => kind !== 'blank')
  const last = tokens.at(-1)
  const isTyped = last !== undefined && last.start + last.text.length === cursor && (last.kind === 'word' || isOpenText(last))
  const before = isTyped ? tokens.slice(0, -1) : tokens
  const typed = isTyped ? last.text : ''
  const fits = ({ text }: Completion) => text.toLowerCase().startsWith(typed.toLowerCase()) && text !== typed
  const within = ({ text }: Completion) =>
    !fits({ text, hint: '' }) && text.toLowerCase().includes(typed.toLowerCase()) && typed.length > 1
  const all = candidates(before, vocabulary)
  return {
    from: cursor - typed.length,
    items: [...all.filter(fits), ...all.filter(within)].filter(({ text }) => text !== typed).slice(0, mostItems),
  }
}

/** A text whose end is not typed yet. */
function isOpenText({ kind, text }: Token): boolean {
  return kind === 'text' && (text.length === 1 || !text.endsWith(text.charAt(0)))
}

function candidates(before: readonly Token[], vocabulary: QueryVocabulary): readonly Completion[] {
  const words = before.map(({ text }) => text.toUpperCase())
  const [last = '', previous = ''] = [words.at(-1), words.at(-2)]
  const fields = [...vocabulary.fields.map(({ name, type }) => ({ text: name, hint: type })), ...named(systemFields, 'ecm')]
  if (words.length === 0) return named(['SELECT * FROM '], '')
  if (last === 'SELECT') return [...named(['*', 'DISTINCT'], ''), ...fields]
  if (last === 'FROM') return [...named(['Document'], ''), ...named(vocabulary.types, '')]
  if (!words.includes('FROM')) return named(['FROM'], '')
  if (last === 'BY' || (last === ',' && words.includes('ORDER'))) return fields
  if (words.includes('ORDER')) return named(['ASC', 'DESC'], '')
  if (!words.includes('WHERE')) return named(['WHERE', 'ORDER BY'], '')
  if (['WHERE', 'AND', 'OR', 'NOT', '('].includes(last) && previous !== 'IN' && !isBetween(words))
    return [...fields, ...named(['NOT', '('], '')]
  const [field] = before.filter(({ kind, text }) => kind === 'word' && text.includes(':')).slice(-1)
  if (valued.has(last) || last === '(' || last === ',') return valuesFor(field?.text ?? '', vocabulary)
  if (before.at(-1) === field) return named(operators, '')
  return named(['AND', 'OR', 'ORDER BY'], '')
}

/** Whether the next AND stands between two values. */
function isBetween(words: readonly string[]): boolean {
  const since = words.slice(words.lastIndexOf('BETWEEN') + 1)
  return words.includes('BETWEEN') && words.at(-1) === 'AND' && since.indexOf('AND') === since.length - 1
}

function valuesFor(field: string, { types, facets, fields }: QueryVocabulary): readonly Completion[] {
  const texts: { readonly [name: string]: readonly string[] } = {
    'ecm:primaryType': types,
    'ecm:mixinType': facets,
    'ecm:currentLifeCycleState': states,
  }
  const known = texts[field]
  if (known !== undefined)
    return named(
      known.map((one) => `'${one}'`),
      '',
    )
  if (/^ecm:is[A-Z]/.test(field)) return named(['0', '1'], '')
  const type = fields.find(({ name }) => name === field)?.type ?? ''
  if (type.startsWith('date')) {
    return named(['NOW()', "NOW('-P7D')", "NOW('-P1M')", `DATE '${new Date().toISOString().slice(0, 10)}'`], '')
  }
  if (type.startsWith('boolean')) return named(['0', '1'], '')
  return []
}

function named(texts: readonly string[], hint: string): readonly Completion[] {
  return texts.map((text) => ({ text, hint }))
}
