import type { Problem } from '../../api/client.ts'
import type { Document } from '../../api/types.ts'
import { type RetentionRule, ruleIn, type StartPolicy, spellPeriod, textsIn } from '../retention/rule.ts'

/** A rule as it stands in the form. */
export interface RuleDraft extends RetentionRule {
  readonly policy: StartPolicy
  readonly title: string
  readonly description: string
  readonly isAutomatic: boolean
  readonly expression: string
  readonly types: readonly string[]
  readonly isFlexible: boolean
}

/** As a new one begins. */
export const emptyDraft: RuleDraft = {
  ...ruleIn({}),
  policy: 'immediate',
  title: '',
  description: '',
  isAutomatic: false,
  expression: '',
  types: [],
  isFlexible: false,
}

type Properties = { readonly [xpath: string]: unknown }

export function draftOf({ properties = {} }: Pick<Document, 'properties'>): RuleDraft {
  const text = (xpath: string) => String(properties[xpath] ?? '')
  const rule = ruleIn(properties)
  return {
    ...rule,
    policy: rule.policy ?? 'immediate',
    title: text('dc:title'),
    description: text('dc:description'),
    isAutomatic: text('retention_rule:applicationPolicy') === 'auto',
    expression: text('retention_def:expression'),
    types: textsIn(properties, 'retention_rule:docTypes'),
    isFlexible: properties['retention_rule:flexibleRecords'] === true,
  }
}

/** What is stored. What belongs to another starting point than the chosen one is not kept: nobody would see it any more. */
export function propertiesOf(draft: RuleDraft): Properties {
  const { policy, period } = draft
  const only = (wanted: StartPolicy, text: string) => (policy === wanted && text.trim() !== '' ? text.trim() : null)
  return {
    'dc:title': draft.title.trim(),
    'dc:description': textOrNull(draft.description),
    'retention_rule:applicationPolicy': draft.isAutomatic ? 'auto' : 'manual',
    'retention_rule:flexibleRecords': draft.isFlexible,
    'retention_rule:docTypes': draft.types,
    'retention_def:expression': draft.isAutomatic ? textOrNull(draft.expression) : null,
    'retention_def:startingPointPolicy': policy,
    'retention_def:startingPointEvent': only('event_based', draft.event),
    'retention_def:startingPointValue': only('after_delay', spellPeriod(draft.delay)) ?? only('event_based', draft.eventValue),
    'retention_def:startingPointExpression': only('event_based', draft.eventExpression),
    'retention_def:metadataXPath': only('metadata_based', draft.metadata),
    'retention_def:durationYears': period.years,
    'retention_def:durationMonths': period.months,
    'retention_def:durationDays': period.days,
    'retention_def:durationMillis': period.millis,
    'retention_def:beginActions': draft.beginActions,
    'retention_def:endActions': draft.endActions,
  }
}

function textOrNull(text: string): string | null {
  return text.trim() === '' ? null : text.trim()
}

/** What of it differs from what is stored: who edits a rule writes only what they have changed. */
export function changesIn(before: RuleDraft, draft: RuleDraft): Properties {
  const stored = propertiesOf(before)
  return Object.fromEntries(
    Object.entries(propertiesOf(draft)).filter(([xpath, value]) => JSON.stringify(value) !== JSON.stringify(stored[xpath])),
  )
}

export type RuleField = keyof RuleDraft

const fieldOfProperty: { readonly [xpath: string]: RuleField } = {
  'dc:title': 'title',
  'dc:description': 'description',
  'retention_rule:docTypes': 'types',
  'retention_def:expression': 'expression',
  'retention_def:startingPointPolicy': 'policy',
  'retention_def:startingPointEvent': 'event',
  'retention_def:startingPointValue': 'eventValue',
  'retention_def:startingPointExpression': 'eventExpression',
  'retention_def:metadataXPath': 'metadata',
  'retention_def:beginActions': 'beginActions',
  'retention_def:endActions': 'endActions',
}

/** By the sentence with which the server refuses a rule: the field that it is about. */
const sentences: readonly (readonly [RegExp, RuleField])[] = [
  [/needs the delay/, 'delay'],
  [/needs retention_def:startingPointEvent/, 'event'],
  [/retention_def:metadataXPath/, 'metadata'],
  [/its duration is counted|it has no duration/, 'period'],
  [/document types?\b/, 'types'],
  [/retention_def:startingPointExpression cannot be read/, 'eventExpression'],
  [/retention_def:expression cannot be read/, 'expression'],
  [/needs a retention_def:startingPointPolicy/, 'policy'],
]

/** What is wrong with the rule, by field; nothing where a refusal is about the whole of it, or is none. */
export function mistakesIn(error: unknown, draft: RuleDraft): { readonly [Field in RuleField]?: string } {
  if (!isProblem(error) || error.isOffline || error.status >= 500) return {}
  const { message, mistakes = {} } = error
  const byProperty = Object.entries(mistakes).flatMap(([xpath, mistake]) => {
    const field = Object.entries(fieldOfProperty).find(([known]) => xpath === known || xpath.startsWith(`${known}/`))?.[1]
    return field === undefined ? [] : [[field, mistake] as const]
  })
  if (byProperty.length > 0) return Object.fromEntries(byProperty)
  const field = sentences.find(([sentence]) => sentence.test(message))?.[1] ?? actionFieldIn(message, draft)
  return field === undefined ? {} : { [field]: message }
}

// By its name: what the class stands in wants a page.
const isProblem = (error: unknown): error is Problem => error instanceof Error && error.name === 'Problem'

/** Of which list an action is that there is not. */
function actionFieldIn(message: string, { beginActions, endActions }: RuleDraft): RuleField | undefined {
  const unknown = /no operation or chain "(.*)"/.exec(message)?.[1]
  if (unknown !== undefined) return beginActions.includes(unknown) ? 'beginActions' : 'endActions'
  if (!/more than \d+ actions/.test(message)) return undefined
  return beginActions.length > endActions.length ? 'beginActions' : 'endActions'
}
