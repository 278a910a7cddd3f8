import type { IsoDate } from '../../base/iso-date.ts'
import type { WriteSession } from '../../core/session.ts'
import type { Document } from '../../model/document.ts'
import { withFacet, withOwnFacets, withoutFacet } from '../../model/own-facets.ts'
import type { Properties } from '../../model/properties/property.ts'
import { findDefinition, type RetentionDefinition, targetIn } from './rule-definition.ts'
import { definitionProperties, recordFacet, recordProperties } from './rule-model.ts'

/** What a record remembers of the rule that it was given, whatever became of the rule since. */
export interface AttachedRule {
  readonly definition: RetentionDefinition
  readonly attached: IsoDate
  /** Its retention may be taken back. */
  readonly isFlexible: boolean
  /** Its retention is over, and what the rule says is to be done then was not done yet. */
  readonly isEndDue: boolean
}

export function isUnderRule({ facets }: Pick<Document, 'facets'>): boolean {
  return facets.includes(recordFacet)
}

/** Undefined where the document has no rule. */
export function findAttached(document: Document): AttachedRule | undefined {
  const { properties } = document
  const definition = isUnderRule(document) ? findDefinition(properties) : undefined
  const attached = properties[recordProperties.attached]
  if (definition === undefined || typeof attached !== 'string') return undefined
  return {
    definition,
    attached,
    isFlexible: properties[recordProperties.flexible] === true,
    isEndDue: properties[recordProperties.endDue] === true,
  }
}

/** The document with a copy of the rule as it is now. */
export function withRule({ model, now }: WriteSession, document: Document, rule: Document): Document {
  const marked = withOwnFacets(model, document, withFacet(model, document, recordFacet))
  const definition = Object.fromEntries(Object.values(definitionProperties).map((name) => [name, rule.properties[name] ?? null]))
  const { ruleIds, retainUntil, attached, flexible, endDue } = recordProperties
  const own: Properties = {
    [ruleIds]: [rule.id],
    [retainUntil]: null,
    [attached]: now,
    [flexible]: targetIn(rule.properties).isFlexible,
    [endDue]: false,
  }
  return { ...marked, properties: { ...marked.properties, ...definition, ...own } }
}

/** As if it had never had a rule. */
export function withoutRule({ model }: WriteSession, document: Document): Document {
  return withOwnFacets(model, document, withoutFacet(model, document, recordFacet))
}
