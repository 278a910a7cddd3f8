import type { Document } from '../../api/types.ts'

export const startPolicies = ['immediate', 'after_delay', 'event_based', 'metadata_based'] as const
export type StartPolicy = (typeof startPolicies)[number]

export const periodUnits = ['years', 'months', 'days', 'millis'] as const
export type PeriodUnit = (typeof periodUnits)[number]
/** A length of time as people count it. */
export type Period = { readonly [Unit in PeriodUnit]: number }

export const noPeriod: Period = { years: 0, months: 0, days: 0, millis: 0 }

/** What a rule says, and what a record remembers of its rule. */
export interface RetentionRule {
  /** Undefined where it says nothing of it, as in what came with an archive. */
  readonly policy: StartPolicy | undefined
  readonly period: Period
  /** How long after it was attached it begins, if the policy is so. */
  readonly delay: Period
  readonly event: string
  /** What the event has to bring along, or what has to hold of the document then. */
  readonly eventValue: string
  readonly eventExpression: string
  readonly metadata: string
  readonly beginActions: readonly string[]
  readonly endActions: readonly string[]
}

type Properties = Document['properties']

export function ruleIn(properties: Properties = {}): RetentionRule {
  const text = (name: string) => String(properties[`retention_def:${name}`] ?? '')
  const count = (name: string) => Number(properties[`retention_def:${name}`] ?? 0)
  const policy = startPolicies.find((one) => one === text('startingPointPolicy'))
  const value = text('startingPointValue')
  return {
    policy,
    period: {
      years: count('durationYears'),
      months: count('durationMonths'),
      days: count('durationDays'),
      millis: count('durationMillis'),
    },
    delay: policy === 'after_delay' ? parsePeriod(value) : noPeriod,
    event: text('startingPointEvent'),
    eventValue: policy === 'event_based' ? value : '',
    eventExpression: text('startingPointExpression'),
    metadata: text('metadataXPath'),
    beginActions: textsIn(properties, 'retention_def:beginActions'),
    endActions: textsIn(properties, 'retention_def:endActions'),
  }
}

export function textsIn(properties: Properties = {}, xpath: string): readonly string[] {
  const value = properties[xpath]
  return Array.isArray(value) ? value.map(String) : []
}

const shape = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/

/** `P1Y6M`, `P2W`, `P30D`: weeks are counted as days. Nothing of what is written otherwise. */
export function parsePeriod(text: string): Period {
  const [years = 0, months = 0, weeks = 0, days = 0] = (shape.exec(text.trim()) ?? []).slice(1).map((part) => Number(part ?? 0))
  return { years, months, days: weeks * 7 + days, millis: 0 }
}

/** Empty where it is no time at all. */
export function spellPeriod({ years, months, days }: Period): string {
  const parts = [
    [years, 'Y'],
    [months, 'M'],
    [days, 'D'],
  ] as const
  const spelled = parts.map(([count, unit]) => (count === 0 ? '' : `${count}${unit}`)).join('')
  return spelled === '' ? '' : `P${spelled}`
}

export function isEmptyPeriod(period: Period): boolean {
  return periodUnits.every((unit) => period[unit] === 0)
}
