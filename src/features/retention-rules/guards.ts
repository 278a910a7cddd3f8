import { defineProblem } from '../../base/problem.ts'
import type { InlineListener } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { sameValue } from '../../model/properties/property.ts'
import type { PropertyDefinition } from '../../model/shape.ts'
import { requireRecordManager } from './rule-managers.ts'
import { type KnownActions, requireSoundRule } from './rule-mistakes.ts'
import { recordFacet, ruleFacet } from './rule-model.ts'

const ruleSchemas = new Set(['retention_rule', 'retention_definition'])
const recordSchemas = new Set(['record', 'retention_definition', 'record_state'])

const previous = (properties: { readonly [name: string]: unknown }) => properties['previousDocumentModel'] as Document | undefined

/**
 * A rule decides about documents of others, so what it says is for record managers to write, wherever it lies; and it is refused where it
 * could not work. Its title is anybody's who may write it.
 */
export function guardRules(known: KnownActions): InlineListener {
  return {
    name: 'guardRetentionRules',
    when: 'inline',
    events: ['aboutToCreate', 'aboutToImport', 'beforeDocumentModification', 'beforeRestoringDocument'],
    order: 100,
    facet: ruleFacet,
    changes: ({ schema }: PropertyDefinition) => ruleSchemas.has(schema.name),
    heedsFacets: true,
    handle(event, session) {
      const { document, name } = event
      requireRecordManager(session, 'Writing retention rules')
      // What comes from a backup comes as it was; a version was sound when it was made.
      const isBroughtBack = name === 'beforeRestoringDocument' || (name === 'aboutToImport' && session.principal.isSystem)
      if (!isBroughtBack) requireSoundRule(session.model, known, document.properties)
    },
  }
}

export const recordKeepsRule = defineProblem(
  'recordKeepsRule',
  'forbidden',
  (of: { id: string }) =>
    `What ${of.id} remembers of its retention rule is written by the server alone. Use Retention.AttachRule or Document.UnattachRetentionRule.`,
)

/** What a record remembers of its rule decides when it may go: nobody writes it, administrators no more than others. */
export const guardRecords: InlineListener = {
  name: 'guardRecordRules',
  when: 'inline',
  events: ['beforeDocumentModification'],
  order: 100,
  changes: ({ schema }: PropertyDefinition) => recordSchemas.has(schema.name),
  heedsFacets: true,
  handle({ document, properties }) {
    const before = previous(properties)
    if (before === undefined) return
    const [was, is] = [before, document].map(({ facets }) => facets.includes(recordFacet))
    if (!was && !is) return
    if (was !== is || !isSame(before, document)) throw recordKeepsRule({ id: document.id })
  },
}

const prefixes = ['record:', 'retention_def:', 'record_state:']

function isSame(before: Document, after: Document): boolean {
  const names = new Set([before, after].flatMap(({ properties }) => Object.keys(properties)))
  return [...names]
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .every((name) => sameValue(before.properties[name], after.properties[name]))
}
