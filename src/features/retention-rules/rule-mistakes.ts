import { parseTemplate } from '../../automation/expressions/template.ts'
import { defineProblem, Problem } from '../../base/problem.ts'
import type { Model } from '../../model/model.ts'
import type { Properties } from '../../model/properties/property.ts'
import { isEmptyPeriod, isWithinBounds, longestPeriod } from './retention-period.ts'
import { findDefinition, periodIn, type StartingPoint, targetIn, textAt } from './rule-definition.ts'
import { definitionProperties, maxActions, maxTypes } from './rule-model.ts'

export const ruleWrong = defineProblem(
  'ruleWrong',
  'invalid',
  (of: { reason: string }) => `The retention rule cannot work: ${of.reason}`,
)

/** What a rule names, beside the model. */
export interface KnownActions {
  has(operation: string): boolean
}

/** A rule that would keep nothing, or fail when it is needed years from now, is refused when it is written. @throws ruleWrong */
export function requireSoundRule(model: Model, known: KnownActions, properties: Properties): void {
  const reason = findMistake(model, known, properties)
  if (reason !== undefined) throw ruleWrong({ reason })
}

function findMistake(model: Model, known: KnownActions, properties: Properties): string | undefined {
  const { policy, event, eventValue, metadata, eventExpression, expression } = definitionProperties
  const definition = findDefinition(properties)
  if (definition === undefined) {
    switch (textAt(properties, policy)) {
      case undefined:
        return `it needs a ${policy}.`
      case 'event_based':
        return `a rule that an event starts needs ${event}.`
      case 'metadata_based':
        return `a rule that a date of the document starts needs ${metadata}.`
      case 'after_delay':
        return `a rule that starts after a delay needs the delay in ${eventValue}, such as P30D or P1Y6M.`
      default:
        // The constraint of the property says which there are.
        return undefined
    }
  }
  const period = periodIn(properties)
  if (!isWithinBounds(period)) {
    const { years, months, days, millis } = longestPeriod
    return `its duration is counted in whole numbers from 0 to ${years} years, ${months} months, ${days} days and ${millis} milliseconds.`
  }
  if (isEmptyPeriod(period) && definition.start.kind !== 'metadata_based')
    return 'it has no duration. One of the four must be more than 0.'
  return (
    findMetadataMistake(model, definition.start) ??
    findTypeMistake(model, targetIn(properties).types) ??
    findActionMistake(known, [...definition.beginActions, ...definition.endActions]) ??
    findExpressionMistake(properties, eventExpression) ??
    findExpressionMistake(properties, expression)
  )
}

function findMetadataMistake(model: Model, start: StartingPoint): string | undefined {
  if (start.kind !== 'metadata_based') return undefined
  const found = model.findProperty(start.property)
  if (found?.name === start.property && found.field.type.kind === 'date') return undefined
  return `${definitionProperties.metadata} must name a date of documents with its prefix, such as dc:expired, and ${JSON.stringify(start.property)} is none.`
}

function findTypeMistake(model: Model, types: readonly string[]): string | undefined {
  if (types.length > maxTypes) return `it names more than ${maxTypes} document types.`
  const unknown = types.find((type) => !model.types.has(type))
  return unknown === undefined ? undefined : `there is no document type ${JSON.stringify(unknown)}.`
}

function findActionMistake(known: KnownActions, actions: readonly string[]): string | undefined {
  if (actions.length > maxActions) return `it names more than ${maxActions} actions.`
  const unknown = actions.find((action) => !known.has(action))
  return unknown === undefined ? undefined : `there is no operation or chain ${JSON.stringify(unknown)}.`
}

function findExpressionMistake(properties: Properties, name: string): string | undefined {
  const text = textAt(properties, name)
  if (text === undefined) return undefined
  try {
    parseTemplate(text)
    return undefined
  } catch (error) {
    if (error instanceof Problem) return `${name} cannot be read. ${error.message}`
    throw error
  }
}
