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

export const registrationRequest: Lifecycle = {
  name: 'registrationRequest',
  initial: 'created',
  states: { created: ['approve', 'reject'], approved: ['accept'], accepted: ['process'], rejected: [], processed: [] },
  transitions: { approve: 'approved', reject: 'rejected', accept: 'accepted', process: 'processed' },
}

export const lifecycles = [defaultLifecycle, registrationRequest]
