import { defineDirectory } from '../../core/directories/directory-definition.ts'
import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { cleanupJob, cleanupSchedule, collectWorkflows } from './cleanup.ts'
import { workflowCommands } from './commands.ts'
import { escalationJobs, escalationSchedule } from './escalation.ts'
import { deployModels } from './models/deploy-models.ts'
import { parallelReview } from './models/parallel-review.ts'
import { reviewChains } from './models/review-chains.ts'
import { unlockCancelled } from './models/review-locks.ts'
import { reviewOperations } from './models/review-operations.ts'
import { serialReview } from './models/serial-review.ts'
import { taskOperations } from './operations/task-operations.ts'
import { variableOperations } from './operations/variable-operations.ts'
import { workflowOperations } from './operations/workflow-operations.ts'
import { afterVersions, beforeRemoval, removalJobs } from './removal.ts'
import { workflowManagementRoutes } from './rest/management-routes.ts'
import { taskWriter } from './rest/task-entity.ts'
import { taskListings } from './rest/task-listings.ts'
import { taskRoutes } from './rest/task-routes.ts'
import { taskAdapter, workflowAdapter } from './rest/workflow-adapters.ts'
import { pendingTasks, runnableWorkflows, runningWorkflows } from './rest/workflow-enrichers.ts'
import { workflowWriter } from './rest/workflow-entity.ts'
import { workflowRoutes } from './rest/workflow-routes.ts'
import {
  dataVisualization,
  documentRouteElement,
  offeredOnRoutes,
  routeFacets,
  routeProviders,
  routeSchemas,
  routesOfDomains,
  routeTypes,
} from './route-model.ts'
import { workflowSettings } from './settings.ts'
import { reminderSchedule, taskMail } from './task-mail.ts'
import { taskFacets, taskLifecycle, taskProviders, taskRootTemplate, taskSchema, taskTypes } from './task-model.ts'
import { keepFacets, keepWorkflows, workflowPolicy } from './workflow-rights.ts'

const workflowTypes = defineDirectory('WorkflowType', {
  schema: 'vocabulary',
  dataFile: new URL('./data/WorkflowType.csv', import.meta.url),
  labels: new URL('./data/labels-WorkflowType.json', import.meta.url),
})

export { listFollowedModels } from './instance/list-workflows.ts'

/** Tasks of users, and the routes that documents take from one to the next. */
export default definePlugin({
  name: 'workflow',
  requires: ['content-model', 'directories', 'comments', 'audit', 'mail'],
  schemas: [taskSchema, ...routeSchemas],
  facets: [...taskFacets, ...routeFacets],
  documentTypes: [...taskTypes, ...routeTypes],
  documentTypeAdditions: [routesOfDomains],
  lifecycles: [taskLifecycle, documentRouteElement],
  permissions: [dataVisualization],
  visiblePermissions: [offeredOnRoutes],
  initialContent: [taskRootTemplate],
  directories: [workflowTypes],
  pageProviders: [...routeProviders, ...taskProviders, ...taskListings],
  events: eventsOf('after', 'beforeRouteReady afterRouteReady beforeRouteStart afterRouteFinish workflowTaskRejected'),
  securityPolicies: [workflowPolicy],
  listeners: [keepWorkflows, keepFacets, unlockCancelled, beforeRemoval],
  serverListeners: [afterVersions],
  jobs: removalJobs,
  bulkActions: [collectWorkflows],
  workflows: [serialReview, parallelReview],
  chains: reviewChains,
  operations: [...reviewOperations, ...variableOperations],
  routes: [...workflowRoutes, ...taskRoutes, ...workflowManagementRoutes],
  adapters: [workflowAdapter, taskAdapter],
  enrichers: [pendingTasks, runnableWorkflows, runningWorkflows],
  entityWriters: [workflowWriter, taskWriter],
  settings: workflowSettings,
  commands: workflowCommands,
  contribute(values, services) {
    const rules = {
      isDisabled: values.workflowCleanupDisabled,
      batchSize: values.workflowCleanupBatchSize,
      removesOrphans: values.workflowCleanupOrphans,
    }
    return {
      preparations: [deployModels(services)],
      listeners: [taskMail(services)],
      operations: [...workflowOperations(services), ...taskOperations(services)],
      jobs: [...escalationJobs(services), cleanupJob(rules)],
      schedules: [
        escalationSchedule(values.workflowEscalationInterval),
        reminderSchedule(services, values.workflowEscalationInterval, values.workflowReminder),
        cleanupSchedule,
      ],
    }
  },
})
