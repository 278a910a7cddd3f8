import type { Document } from '../../model/document.ts'
import { Type } from '../../rest/openapi/schema.ts'
import { type BlobWriter, blobWriterFor } from '../../rest/render/blob-json.ts'
import { propertyWriter } from '../../rest/render/property-json.ts'
import { defineUserEnricher, type RenderContext } from '../../rest/render/rendering.ts'
import { mayHaveWorkspace } from '../user-workspaces/index.ts'
import { findUserProfile } from './user-profile.ts'

const schema = 'userprofile'

const profileSchema = Type.Nullable(
  Type.Record(Type.Unknown(), { description: 'By the fields of the schema: avatar, birthdate, gender, locale, phonenumber' }),
)

/** What a user tells about itself. Looking at it makes no profile: one that was never made shows the defaults. */
export const profileEnricher = (showsFormerFields: boolean) =>
  defineUserEnricher({
    name: schema,
    entityType: 'user',
    adds: { [schema]: profileSchema },
    async enrich({ user, context }) {
      if (!mayHaveWorkspace(user)) return { [schema]: null }
      const profile = await findUserProfile(context.session, user.name)
      const fields = writeFields(context, profile)
      return { [schema]: showsFormerFields ? formerFields(fields) : fields }
    },
  })

interface ProfileFields {
  readonly [name: string]: unknown
}

function writeFields(context: RenderContext, profile: Document | undefined): ProfileFields {
  const { model } = context.session
  const writeBlob: BlobWriter = profile === undefined ? () => null : blobWriterFor(context, profile, true)
  const definitions = model.schemas.get(schema)?.fields ?? []
  const shown = definitions.map((field) => {
    const xpath = `${schema}:${field.name}`
    return [field.name, propertyWriter(field)(profile?.properties[xpath], writeBlob, xpath)] as const
  })
  return Object.fromEntries(shown)
}

/** As clients knew it before: three fields, the time of birth without milliseconds, the avatar as its address. */
function formerFields({ birthdate, phonenumber, avatar }: ProfileFields): ProfileFields {
  return {
    birthdate: typeof birthdate === 'string' ? birthdate.replace(/\.\d{3}Z$/, 'Z') : null,
    phonenumber,
    avatar: isShownBlob(avatar) ? avatar.data : null,
  }
}

function isShownBlob(value: unknown): value is { readonly data: string } {
  return typeof value === 'object' && value !== null && 'data' in value
}
