import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { createActiveRules } from './active-rules.ts'
import { automaticRules } from './automatic-rules.ts'
import { retentionBulkActions } from './bulk-actions.ts'
import { holdEndsFlexibility } from './detach-rule.ts'
import { endAfterHold, endJob, rememberEnd } from './end-of-retention.ts'
import { eventJobs } from './fire-event.ts'
import { guardRecords, guardRules } from './guards.ts'
import { retentionOperations } from './operations.ts'
import { retentionEnricher } from './retention-enricher.ts'
import { offeredPermissions, ruleFacets, rulePermissions, ruleSchemas, ruleTypes } from './rule-model.ts'
import { ruleProviders } from './rule-providers.ts'
import { rulesFolder } from './rules-folder.ts'
import { startByMetadata, startByOwnEvents } from './start-retention.ts'
import { retentionVocabularies } from './vocabularies.ts'

/** Rules that say which documents become records, from when on and how long they are kept, and what becomes of them then. */
export default definePlugin({
  name: 'retention-rules',
  requires: ['content-model', 'records', 'directories', 'search', 'saved-searches', 'bulk', 'collections', 'tags', 'audit'],
  schemas: ruleSchemas,
  facets: ruleFacets,
  documentTypes: ruleTypes,
  permissions: rulePermissions,
  visiblePermissions: offeredPermissions,
  directories: retentionVocabularies,
  pageProviders: ruleProviders,
  enrichers: [retentionEnricher],
  preparations: [rulesFolder],
  events: eventsOf('after', 'retentionRuleAttached'),
  contribute(_, services) {
    const active = createActiveRules()
    const automatic = automaticRules(services, active)
    const known = { has: (operation: string) => services.operations.find(operation) !== undefined }
    return {
      listeners: [
        guardRules(known),
        guardRecords,
        holdEndsFlexibility,
        startByMetadata,
        startByOwnEvents(services),
        rememberEnd,
        endAfterHold,
        ...automatic.listeners,
      ],
      backgroundTasks: [active.look],
      jobs: [...eventJobs(services), endJob(services), ...automatic.jobs],
      operations: retentionOperations(services),
      bulkActions: retentionBulkActions(services),
    }
  },
})
