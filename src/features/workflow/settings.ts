import { defineSettings } from '../../settings/define-settings.ts'

/** What operators may tell workflows. */
export const workflowSettings = defineSettings({
  workflowEscalationInterval: {
    type: 'duration',
    default: '5m',
    min: '1s',
    max: '1d',
    help: 'How often nodes that wait are looked at for rules of escalation',
  },
  workflowReminder: {
    type: 'duration',
    default: '1d',
    min: '0s',
    max: '30d',
    help: 'How long before a task is due its assignees are reminded by mail, where they are sent any; 0s for never',
  },
  workflowEnforceAvailabilityFilter: {
    type: 'boolean',
    default: false,
    property: 'workflow.enforceAvailabilityFilter',
    help: 'Refuse to start a workflow on a document on which it is not offered to the user',
  },
  workflowJsonLegacy: {
    type: 'boolean',
    default: false,
    property: 'platform.document.routing.json.format.legacy',
    help: 'Take all values of variables that clients send as texts, lists as JSON in a text',
  },
  workflowCleanupDisabled: {
    type: 'boolean',
    default: false,
    property: 'platform.routing.disable.cleanup.workflow.instances',
    help: 'Keep workflows that are done or cancelled',
  },
  workflowCleanupBatchSize: {
    type: 'integer',
    default: 100,
    min: 1,
    max: 10_000,
    property: 'platform.routing.cleanup.workflow.instances.batch.size',
    help: 'Workflows that the daily cleanup removes in one transaction',
  },
  workflowCleanupOrphans: {
    type: 'boolean',
    default: false,
    property: 'platform.routing.cleanup.workflow.instances.orphan',
    help: 'Let the daily cleanup also remove workflows whose documents are all gone',
  },
})
