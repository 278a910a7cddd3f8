import { EngineRefusal, illegal } from './refusal.ts'

type Source = { readonly [name: string]: unknown }

export type FieldKind = 'keyword' | 'text' | 'long' | 'double' | 'boolean'

interface MappedField {
  readonly kind: FieldKind
  /** Of a text: the longest word of its analyzer. */
  readonly longestWord: number
  readonly hasDocValues: boolean
}

/** A document as it was indexed: of each field its values, of texts their words in order. */
export interface IndexedFields {
  readonly id: string
  readonly version: number
  readonly source: Source
  readonly values: ReadonlyMap<string, readonly (string | number | boolean)[]>
}

const longestTerm = 32_766

/**
 * An index as OpenSearch keeps it: strictly mapped, found by searches only after a refresh, with versions from outside of which only a
 * larger one replaces another, and with removals that are remembered.
 */
export class StoredIndex {
  readonly name: string
  readonly fields: ReadonlyMap<string, MappedField>
  readonly window: number
  readonly #documents = new Map<string, IndexedFields>()
  readonly #removed = new Map<string, number>()
  #visible: readonly IndexedFields[] = []
  #refreshed = 0

  constructor(name: string, body: Source) {
    this.name = name
    const { settings = {}, mappings = {} } = body as { settings?: Source; mappings?: Source }
    if (mappings['dynamic'] !== 'strict') throw illegal('the stand-in knows strict mappings only')
    this.fields = new Map([...everyField(mappings, '', analyzersIn(settings))])
    const limit = Number(at(settings, 'index', 'mapping', 'total_fields', 'limit') ?? 1_000)
    if (this.fields.size > limit) throw illegal(`Limit of total fields [${limit}] has been exceeded`)
    this.window = Number(at(settings, 'index', 'max_result_window') ?? 10_000)
  }

  get size(): number {
    return this.#documents.size
  }

  get(id: string): IndexedFields | undefined {
    return this.#documents.get(id)
  }

  put(id: string, version: number, source: Source): void {
    this.#requireNewer(id, version)
    const values = new Map<string, readonly (string | number | boolean)[]>()
    this.#collect(source, '', values)
    this.#documents.set(id, { id, version, source, values })
    this.#removed.delete(id)
  }

  /** Whether there was one. */
  remove(id: string, version: number): boolean {
    this.#requireNewer(id, version)
    this.#removed.set(id, version)
    return this.#documents.delete(id)
  }

  #requireNewer(id: string, version: number): void {
    if (!Number.isSafeInteger(version) || version < 0) throw illegal(`illegal version value [${version}]`)
    const current = this.#documents.get(id)?.version ?? this.#removed.get(id)
    if (current === undefined || version > current) return
    const reason = `[${id}]: version conflict, current version [${current}] is higher or equal to the one provided [${version}]`
    throw new EngineRefusal(409, 'version_conflict_engine_exception', reason)
  }

  #collect(source: Source, prefix: string, values: Map<string, readonly (string | number | boolean)[]>): void {
    for (const [key, value] of Object.entries(source)) {
      const name = `${prefix}${key}`
      if (value === null || value === undefined) continue
      const field = this.fields.get(name)
      if (field !== undefined)
        values.set(
          name,
          [value].flat().flatMap((one) => termsOf(name, field, one)),
        )
      else if (isSource(value) && [...this.fields.keys()].some((known) => known.startsWith(`${name}.`)))
        this.#collect(value, `${name}.`, values)
      else
        throw new EngineRefusal(
          400,
          'strict_dynamic_mapping_exception',
          `mapping set to strict, dynamic introduction of [${name}]`,
        )
    }
  }

  refresh(): void {
    this.#visible = [...this.#documents.values()]
    this.#refreshed = performance.now()
  }

  /** As of the last refresh, which comes once a second where somebody searches. */
  visible(): readonly IndexedFields[] {
    if (performance.now() - this.#refreshed > 1_000) this.refresh()
    return this.#visible
  }
}

function isSource(value: unknown): value is Source {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function at(source: unknown, ...names: readonly string[]): unknown {
  return names.reduce((part, name) => (isSource(part) ? part[name] : undefined), source)
}

/** The longest word by the name of the analyzer. */
function analyzersIn(settings: Source): ReadonlyMap<string, number> {
  const analyzers = at(settings, 'analysis', 'analyzer')
  const longest = Object.entries(isSource(analyzers) ? analyzers : {}).map(([name, analyzer]) => {
    const tokenizer = at(settings, 'analysis', 'tokenizer', String(at(analyzer, 'tokenizer')))
    if (at(tokenizer, 'type') !== 'whitespace') throw illegal('the stand-in knows whitespace tokenizers only')
    return [name, Number(at(tokenizer, 'max_token_length') ?? 255)] as const
  })
  return new Map(longest)
}

const kinds: readonly string[] = ['keyword', 'text', 'long', 'double', 'boolean']

function* everyField(mapping: Source, prefix: string, analyzers: ReadonlyMap<string, number>): Generator<[string, MappedField]> {
  const properties = mapping['properties']
  for (const [key, definition] of Object.entries(isSource(properties) ? properties : {})) {
    if (key.includes('.')) throw illegal(`the stand-in takes no dots in names: [${key}]`)
    if (!isSource(definition)) throw illegal(`no mapping of [${key}]`)
    const { type } = definition
    if (type === undefined) yield* everyField(definition, `${prefix}${key}.`, analyzers)
    else if (!kinds.includes(String(type))) throw illegal(`No handler for type [${String(type)}] declared on field [${key}]`)
    else {
      const longestWord = type === 'text' ? analyzers.get(String(definition['analyzer'])) : 0
      if (longestWord === undefined) throw illegal(`analyzer [${String(definition['analyzer'])}] has not been configured`)
      const kind = type as FieldKind
      yield [`${prefix}${key}`, { kind, longestWord, hasDocValues: kind !== 'text' && definition['doc_values'] !== false }]
    }
  }
}

function termsOf(name: string, { kind, longestWord }: MappedField, value: unknown): readonly (string | number | boolean)[] {
  const refuse = () => new EngineRefusal(400, 'mapper_parsing_exception', `failed to parse field [${name}] of type [${kind}]`)
  switch (kind) {
    case 'keyword': {
      if (typeof value === 'object') throw refuse()
      const text = String(value)
      if (Buffer.byteLength(text) > longestTerm) throw illegal(`Document contains at least one immense term in field="${name}"`)
      return [text]
    }
    case 'text':
      if (typeof value !== 'string') throw refuse()
      return value
        .split(/\s+/)
        .filter((word) => word !== '')
        .flatMap((word) => pieces(word, longestWord))
    case 'boolean':
      if (typeof value !== 'boolean') throw refuse()
      return [value]
    default:
      if (typeof value !== 'number' || (kind === 'long' && !Number.isSafeInteger(value))) throw refuse()
      return [value]
  }
}

function pieces(word: string, length: number): readonly string[] {
  return Array.from({ length: Math.ceil(word.length / length) }, (_, index) => word.slice(index * length, (index + 1) * length))
}
