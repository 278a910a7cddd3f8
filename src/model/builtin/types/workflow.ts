import { defineDocumentType } from '../../document-type.ts'

export const taskTypes = [
  defineDocumentType('TaskRoot', { extends: 'Folder', facets: ['HiddenInNavigation', 'SuperSpace'] }),
  defineDocumentType('TaskDoc', {
    extends: 'Document',
    schemas: ['common', 'dublincore', 'task'],
    facets: ['Task', 'HiddenInNavigation'],
    lifecycle: 'task',
  }),
  defineDocumentType('RoutingTask', { extends: 'TaskDoc', facets: ['RoutingTask'], lifecycle: 'task' }),
]

/** A route moves its steps itself, one after another. */
const routeTransitions = ['toValidated', 'toReady', 'toRunning', 'toDone', 'toCanceled', 'backToReady']

export const routeTypes = [
  defineDocumentType('DocumentRouteInstancesRoot', {
    extends: 'Folder',
    facets: ['HiddenInNavigation', 'SystemDocument', 'HiddenInCreation'],
    subtypes: ['Folder', 'HiddenFolder'],
  }),
  defineDocumentType('DocumentRouteModelsRoot', {
    extends: 'Folder',
    facets: ['HiddenInNavigation', 'SystemDocument', 'HiddenInCreation'],
    subtypes: ['Folder'],
  }),
  defineDocumentType('StepFolder', {
    extends: 'OrderedFolder',
    schemas: ['step_folder'],
    facets: ['HiddenInNavigation', 'StepFolder', 'SystemDocument'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('DocumentRoute', {
    extends: 'StepFolder',
    schemas: ['document_route_instance', 'document_route_model'],
    facets: ['ForceAudit', 'DocumentRoute', 'SystemDocument'],
    subtypes: ['StepFolder', 'DocumentRouteStep', 'ConditionalStepFolder'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('DocumentRouteStep', {
    extends: 'Document',
    schemas: ['dublincore', 'info_comments'],
    facets: ['RouteStep', 'Commentable', 'CommentsInfoHolder', 'SystemDocument'],
    lifecycle: 'documentRouteElement',
  }),
  defineDocumentType('ConditionalStepFolder', {
    extends: 'StepFolder',
    schemas: ['conditional_step_folder'],
    facets: ['ConditionalStepFolder'],
    lifecycle: 'documentRouteElement',
    ownTransitions: routeTransitions,
  }),
  defineDocumentType('RouteNode', {
    extends: 'Document',
    schemas: ['dublincore', 'route_node'],
    facets: ['HiddenInNavigation', 'SystemDocument', 'NotFulltextIndexable'],
    lifecycle: 'documentRouteElement',
  }),
]

export const workflowTypes = [...taskTypes, ...routeTypes]
