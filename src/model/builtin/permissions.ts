import { everything, type Permission, type VisiblePermission } from '../rights/permission.ts'

const atomic = [
  'Browse',
  'ReadChildren',
  'ReadLifeCycle',
  'ReviewParticipant',
  'ReadSecurity',
  'ReadVersion',
  'WriteProperties',
  'AddChildren',
  'RemoveChildren',
  'ManageWorkflows',
  'WriteLifeCycle',
  'Unlock',
  'WriteSecurity',
  everything,
  'RestrictedRead',
]

const compound = {
  ReadProperties: ['Browse'],
  Read: ['Browse', 'ReadVersion', 'ReadProperties', 'ReadChildren', 'ReadLifeCycle', 'ReadSecurity', 'ReviewParticipant'],
  WriteVersion: ['WriteProperties'],
  Version: ['ReadVersion', 'WriteVersion'],
  Remove: ['RemoveChildren', 'WriteLifeCycle'],
  ReadRemove: ['Read', 'Remove'],
  Write: ['AddChildren', 'WriteProperties', 'Remove', 'ManageWorkflows', 'WriteLifeCycle', 'WriteVersion'],
  ReadWrite: ['Read', 'Write'],
}

export const permissions: readonly Permission[] = [
  ...atomic.map((name) => ({ name, includes: [] })),
  ...Object.entries(compound).map(([name, includes]) => ({ name, includes })),
]

export const visiblePermissions: readonly VisiblePermission[] = [
  { name: 'Read', order: 10, types: '*' },
  { name: 'ReadWrite', order: 50, types: '*', denyName: 'Write' },
  { name: everything, order: 100, types: '*' },
]
