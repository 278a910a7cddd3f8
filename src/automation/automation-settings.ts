import { defineSettings, type SettingValues } from '../settings/define-settings.ts'
import type { AutomationRules } from './automation-rules.ts'

/** How operations read what they are sent (contract: operations 1.6 and 4). */
export const automationSettings = defineSettings({
  automationPropertiesValueTrim: {
    type: 'boolean',
    default: false,
    property: 'platform.automation.properties.value.trim',
    help: 'Take the blanks off both ends of values in properties that are sent as text',
  },
  automationPropertiesMultilineEscape: {
    type: 'boolean',
    default: true,
    property: 'platform.automation.properties.multiline.escape',
    help: 'Let a backslash at the end of a line go on with the next, in properties that are sent as text',
  },
  automationBindings: {
    type: 'json',
    help: 'Who may call operations and chains, by id, beside what their plugins say: disabled, secure, administrator (true or false), groups (a list)',
  },
  automationMaxSteps: {
    type: 'integer',
    default: 50_000,
    min: 100,
    help: 'Most operations that one call may run, each item of a list counted; twenty steps of an expression count as one',
  },
  automationMaxDocuments: {
    type: 'integer',
    default: 20_000,
    min: 100,
    help: 'Most documents that all steps of one call may give and be given together, each counted once',
  },
  automationMaxDocumentBytes: {
    type: 'bytes',
    default: '64MB',
    min: '1MB',
    help: 'Most that those documents may hold together, about',
  },
  automationMaxTime: {
    type: 'duration',
    default: '10s',
    min: '100ms',
    max: '1h',
    help: 'Time after which one call begins no further step, whatever it nests. On the embedded database it may hold up all other writes for as long',
  },
  automationHttpTimeout: {
    type: 'duration',
    default: '30s',
    min: '100ms',
    max: '1h',
    help: 'Time that another server may take to answer a chain or a script that calls it with HTTP',
  },
  expressionMaxBytes: {
    type: 'bytes',
    default: '32MB',
    min: '1MB',
    help: 'Most that the expressions of one call may make, all their values together, and an answer of suggested entries',
  },
  expressionMaxValueBytes: {
    type: 'bytes',
    default: '2MB',
    min: '1KB',
    help: 'Largest text, list or other value that an expression may look at or make',
  },
})

type AutomationValues = SettingValues<typeof automationSettings>

export function automationRulesOf(settings: AutomationValues, ownFolders: readonly string[]): AutomationRules {
  return {
    trimsPropertyValues: settings.automationPropertiesValueTrim,
    joinsPropertyLines: settings.automationPropertiesMultilineEscape,
    ownFolders,
    httpMillis: settings.automationHttpTimeout,
    limits: {
      steps: settings.automationMaxSteps,
      bytes: settings.expressionMaxBytes,
      valueBytes: settings.expressionMaxValueBytes,
      documents: settings.automationMaxDocuments,
      documentBytes: settings.automationMaxDocumentBytes,
      millis: settings.automationMaxTime,
    },
  }
}
