import { defineFacet } from '../../model/document-type.ts'
import { complex, list, string } from '../../model/field.ts'
import { defineSchema } from '../../model/schema.ts'

export const notificationSchema = defineSchema('notification', {
  prefix: 'notif',
  fields: { notifications: list(complex({ name: string(), subscribers: list(string()) })) },
  writableOnVersions: true,
  staysBehind: true,
})

export const notifiable = defineFacet('Notifiable', ['notification'])
