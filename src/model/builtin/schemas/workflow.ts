import { alike, boolean, complex, date, double, list, long, string } from '../../field.ts'
import { defineSchema } from '../../schema.ts'

const keysAndValues = list(complex({ key: string(), value: string() }))

export const task = defineSchema('task', {
  prefix: 'nt',
  fields: {
    ...alike(list(string(), { indexed: true }), 'actors', 'delegatedActors'),
    ...alike(string(), 'initiator', 'targetDocumentId'),
    targetDocumentsIds: list(string(), { indexed: true }),
    ...alike(string(), 'directive', 'name', 'type', 'processId', 'processName'),
    accepted: boolean(),
    dueDate: date(),
    task_variables: keysAndValues,
    taskComments: list(complex({ author: string(), text: string(), creationDate: date() })),
  },
})

export const documentRouteInstance = defineSchema('document_route_instance', {
  prefix: 'docri',
  fields: {
    initiator: string(),
    participatingDocuments: list(string(), { indexed: true }),
    ...alike(string(), 'variablesFacet', 'availabilityFilter', 'parentRouteInstanceId', 'parentRouteNodeId', 'modelId'),
  },
})

export const documentRouteModel = defineSchema('document_route_model', { prefix: 'docrm', fields: {} })

export const stepFolder = defineSchema('step_folder', {
  prefix: 'stepf',
  fields: { execution: string({ default: 'serial' }) },
})

export const conditionalStepFolder = defineSchema('conditional_step_folder', {
  prefix: 'condstepf',
  fields: { posOfChildStepToRunNext: string() },
})

export const infoComments = defineSchema('info_comments', {
  prefix: 'infocom',
  fields: { numberOfComments: long({ default: 0 }) },
})

const transition = complex({
  ...alike(string(), 'name', 'label', 'description', 'targetId', 'condition'),
  result: boolean(),
  chain: string(),
  path: list(complex({ x: double(), y: double() })),
})

const escalationRule = complex({
  ...alike(string(), 'name', 'label'),
  multipleExecution: boolean({ default: false }),
  condition: string(),
  executed: boolean({ default: false }),
  chain: string(),
  executionDate: date(),
})

export const routeNode = defineSchema('route_node', {
  prefix: 'rnode',
  fields: {
    ...alike(string(), 'nodeId', 'variablesFacet', 'inputChain', 'outputChain', 'merge', 'subRouteModelExpr'),
    ...alike(string(), 'taskDirective', 'taskDescription', 'taskDueDateExpr', 'taskAssigneesExpr', 'taskAssigneesPermission'),
    ...alike(string(), 'taskLayout', 'taskDocType', 'taskNotificationTemplate', 'lastActor', 'subRouteInstanceId'),
    ...alike(string(), 'button', 'taskX', 'taskY'),
    ...alike(boolean(), 'start', 'stop', 'executeOnlyFirstTransition', 'hasTask', 'hasMultipleTasks'),
    allowTaskReassignment: boolean({ default: true }),
    ...alike(long(), 'count', 'canceled'),
    ...alike(date(), 'taskDueDate', 'startDate', 'endDate'),
    taskAssignees: list(string()),
    transitions: list(transition),
    taskButtons: list(complex({ ...alike(string(), 'name', 'label', 'filter'), validate: boolean({ default: true }) })),
    subRouteVariables: keysAndValues,
    escalationRules: list(escalationRule),
    tasksInfo: list(
      complex({ ...alike(string(), 'actor', 'comment', 'status', 'taskDocId'), ended: boolean({ default: false }) }),
    ),
  },
})

export const workflowSchemas = [
  task,
  documentRouteInstance,
  documentRouteModel,
  stepFolder,
  conditionalStepFolder,
  infoComments,
  routeNode,
]
