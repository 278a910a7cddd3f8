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

export const commentModeration: Lifecycle = {
  name: 'comment_moderation',
  initial: 'moderation_pending',
  states: {
    moderation_pending: ['moderation_publish', 'moderation_reject'],
    moderation_published: [],
    moderation_rejected: [],
  },
  transitions: { moderation_publish: 'moderation_published', moderation_reject: 'moderation_rejected' },
}

export const taskLifecycle: Lifecycle = {
  name: 'task',
  initial: 'opened',
  states: { opened: ['end', 'cancel'], ended: [], cancelled: [] },
  transitions: { end: 'ended', cancel: 'cancelled' },
}

export const documentRouteElement: Lifecycle = {
  name: 'documentRouteElement',
  initial: 'draft',
  states: {
    draft: ['toValidated'],
    validated: ['toReady', 'toDraft'],
    ready: ['toRunning', 'toWaiting', 'toSuspended', 'toCanceled', 'toDraft'],
    running: ['toDone', 'backToReady', 'toCanceled', 'toDraft'],
    done: ['backToReady', 'toCanceled', 'toDraft'],
    waiting: ['toReady', 'toSuspended', 'toCanceled', 'toDraft'],
    suspended: ['toReady', 'toWaiting', 'toCanceled', 'toDraft'],
    canceled: ['backToReady', 'toDraft'],
  },
  transitions: {
    toDraft: 'draft',
    toValidated: 'validated',
    toReady: 'ready',
    toRunning: 'running',
    toDone: 'done',
    toWaiting: 'waiting',
    toSuspended: 'suspended',
    toCanceled: 'canceled',
    backToReady: 'ready',
  },
}

export const registrationRequest: Lifecycle = {
  name: 'registrationRequest',
  initial: 'created',
  states: { created: ['approve', 'reject'], approved: ['accept'], accepted: ['process'], rejected: [], processed: [] },
  transitions: { approve: 'approved', reject: 'rejected', accept: 'accepted', process: 'processed' },
}

export const lifecycles = [defaultLifecycle, commentModeration, taskLifecycle, documentRouteElement, registrationRequest]
