import type { Lifecycle } from '../lifecycle.ts'

export const defaultLifecycle: Lifecycle = {
  name: 'default',
  initial: 'project',
  states: {
    project: ['approve', 'obsolete', 'delete'],
    approved: ['delete', 'backToProject'],
    obsolete: ['delete', 'backToProject'],
    deleted: ['undelete'],
  },
  transitions: {
    approve: 'approved',
    obsolete: 'obsolete',
    delete: 'deleted',
    undelete: 'project',
    backToProject: 'project',
  },
}
