import { eventsOf } from '../../core/event-definition.ts'
import { definePlugin } from '../../plugin/define-plugin.ts'
import { invitationToSend } from './answer-invitation.ts'
import { invitationFacets, invitationSchemas, invitationTypes, registrationRequest } from './invitation-model.ts'
import { invitationRoutes } from './invitation-routes.ts'
import { inviteOperation } from './invite-operation.ts'
import { mailInvitations } from './mail-invitations.ts'
import { invitationManagementRoutes } from './management-routes.ts'
import { invitationSettings } from './settings.ts'

export { acceptInvitation, invitationToSend, rejectInvitation } from './answer-invitation.ts'
export { type InvitationOptions, inviteUser } from './invite-user.ts'

/** People who are asked in, and choose a password themselves. */
export default definePlugin({
  name: 'user-invitations',
  events: [
    ...eventsOf('after', 'invitationSubmitted invitationAccepted invitationRejected invitationValidated'),
    { name: invitationToSend, kind: 'server' },
  ],
  requires: ['content-model', 'mail', 'people'],
  schemas: invitationSchemas,
  facets: invitationFacets,
  documentTypes: invitationTypes,
  lifecycles: [registrationRequest],
  operations: [inviteOperation],
  serverListeners: [mailInvitations],
  routes: [...invitationRoutes, ...invitationManagementRoutes],
  settings: invitationSettings,
})
