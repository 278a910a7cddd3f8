import { type IsoDate, isIsoDate } from '../../base/iso-date.ts'
import { unreachable } from '../../base/unreachable.ts'
import type { Properties, PropertyValue } from '../../model/properties/property.ts'
import { indeterminately } from '../../model/retention.ts'
import { momentAfter, type Period, parsePeriod } from './retention-period.ts'
import { definitionProperties, ruleProperties, type StartPolicy } from './rule-model.ts'

/** From when on a rule keeps a document. */
export type StartingPoint =
  | { readonly kind: 'immediate' }
  | { readonly kind: 'after_delay'; readonly delay: Period }
  | {
      readonly kind: 'event_based'
      readonly event: string
      /** What the event has to bring along. */
      readonly value?: string
      /** Instead: what has to hold of the document when it happens. */
      readonly expression?: string
    }
  | { readonly kind: 'metadata_based'; readonly property: string }

/** What a rule says of a document, and what a record remembers of its rule. */
export interface RetentionDefinition {
  readonly start: StartingPoint
  readonly period: Period
  readonly beginActions: readonly string[]
  readonly endActions: readonly string[]
}

/** Whom a rule is for. */
export interface RuleTarget {
  readonly isEnabled: boolean
  readonly isAutomatic: boolean
  readonly isFlexible: boolean
  readonly types: readonly string[]
  /** Of an automatic one: what has to hold of the document. */
  readonly expression?: string
}

/** Undefined where it does not say enough to keep anything: one whose policy is missing, or what the policy needs. */
export function findDefinition(properties: Properties): RetentionDefinition | undefined {
  const start = findStart(properties)
  if (start === undefined) return undefined
  const { beginActions, endActions } = definitionProperties
  return {
    start,
    period: periodIn(properties),
    beginActions: textsAt(properties, beginActions),
    endActions: textsAt(properties, endActions),
  }
}

export function periodIn(properties: Properties): Period {
  const { years, months, days, millis } = definitionProperties
  return {
    years: countAt(properties, years),
    months: countAt(properties, months),
    days: countAt(properties, days),
    millis: countAt(properties, millis),
  }
}

export function targetIn(properties: Properties): RuleTarget {
  const { application, enabled, flexible, types } = ruleProperties
  const expression = textAt(properties, definitionProperties.expression)
  return {
    isEnabled: properties[enabled] === true,
    isAutomatic: properties[application] === 'auto',
    isFlexible: properties[flexible] === true,
    types: textsAt(properties, types),
    ...(expression !== undefined && { expression }),
  }
}

function findStart(properties: Properties): StartingPoint | undefined {
  const { policy, event, eventValue, eventExpression, metadata } = definitionProperties
  const kind = textAt(properties, policy) as StartPolicy | undefined
  switch (kind) {
    case undefined:
      return undefined
    case 'immediate':
      return { kind }
    case 'after_delay': {
      const delay = parsePeriod(textAt(properties, eventValue) ?? '')
      return delay && { kind, delay }
    }
    case 'event_based': {
      const [name, value, expression] = [event, eventValue, eventExpression].map((one) => textAt(properties, one))
      if (name === undefined) return undefined
      return { kind, event: name, ...(value !== undefined && { value }), ...(expression !== undefined && { expression }) }
    }
    case 'metadata_based': {
      const property = textAt(properties, metadata)
      return property === undefined ? undefined : { kind, property }
    }
    default:
      // A policy that there is not: what is written here may not have been checked yet.
      return undefined
  }
}

/**
 * Until when a document is kept to which a rule is attached now. Null: not yet, as the date that it begins with is missing or too long ago;
 * it is then kept as soon as that changes.
 */
export function plannedEnd(definition: RetentionDefinition, properties: Properties, now: IsoDate): IsoDate | null {
  const { start, period } = definition
  switch (start.kind) {
    case 'immediate':
      return momentAfter(now, period)
    case 'after_delay':
      return momentAfter(momentAfter(now, start.delay), period)
    case 'event_based':
      return indeterminately
    case 'metadata_based':
      return endFromMetadata(properties[start.property], period, now)
    default:
      return unreachable(start)
  }
}

/** Null where the property has no date, or the retention that begins with it is over. */
export function endFromMetadata(value: PropertyValue | undefined, period: Period, now: IsoDate): IsoDate | null {
  if (typeof value !== 'string' || !isIsoDate(value)) return null
  const end = momentAfter(value, period)
  return end > now ? end : null
}

export function textAt(properties: Properties, name: string): string | undefined {
  const value = properties[name]
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

function textsAt(properties: Properties, name: string): readonly string[] {
  const value = properties[name]
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []
}

function countAt(properties: Properties, name: string): number {
  const value = properties[name]
  return typeof value === 'number' || typeof value === 'bigint' ? Number(value) : 0
}
