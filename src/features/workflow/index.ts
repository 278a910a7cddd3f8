import { definePlugin } from '../../plugin/define-plugin.ts'
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
import { taskFacets, taskLifecycle, taskProviders, taskRootTemplate, taskSchema, taskTypes } from './task-model.ts'

/** Tasks of users, and the routes that documents take from one to the next. */
export default definePlugin({
  name: 'workflow',
  requires: ['content-model', 'comments', 'audit'],
  schemas: [taskSchema, ...routeSchemas],
  facets: [...taskFacets, ...routeFacets],
  documentTypes: [...taskTypes, ...routeTypes],
  documentTypeAdditions: [routesOfDomains],
  lifecycles: [taskLifecycle, documentRouteElement],
  permissions: [dataVisualization],
  visiblePermissions: [offeredOnRoutes],
  initialContent: [taskRootTemplate],
  pageProviders: [...routeProviders, ...taskProviders],
})
