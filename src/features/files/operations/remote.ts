import { defineOperation, type Operation } from '../../../automation/operation.ts'
import { optional, required } from '../../../automation/parameter.ts'
import type { FlowingBlob } from '../../../automation/values/flowing-blob.ts'
import { inspectBlob } from '../../../core/blobs/inspect-blob.ts'
import { openBlob } from '../../../core/blobs/open-blob.ts'
import { isWebAddress, type RemoteLimits, remoteRefused } from '../../../core/outgoing/remote-limits.ts'
import type { Session } from '../../../core/session.ts'
import { contentDisposition } from '../../../rest/download/content-disposition.ts'
import { contentTypeOf } from '../../../rest/download/download-headers.ts'
import { decodeIfPossible } from '../../../rest/request/url-path.ts'
import { fetchFile, postFile } from '../remote-files.ts'

/** How long another server may take to send or to receive a file. */
interface RemoteRules {
  readonly millis: number
}

export const remoteOperations = (rules: RemoteRules): readonly Operation[] => [createFromUrl(rules), postToUrl(rules)]

const createFromUrl = ({ millis }: RemoteRules) =>
  defineOperation({
    id: 'Blob.CreateFromURL',
    aliases: ['Blob.Create'],
    category: 'Fetch',
    description: 'Fetches a file from another server. Of addresses that are neither http nor https, nothing.',
    effect: 'waits',
    access: { administrators: true },
    params: {
      file: required('resource', { description: 'The address of the file' }),
      'mime-type': optional('string', { description: 'What the file is; as the other server says when absent' }),
      filename: optional('string', { description: 'The last part of the address when absent' }),
      encoding: optional('string'),
    },
    run: ({ on }) => [
      on('void', 'blob', async (_, { session, context, params }) => {
        const { file: url, 'mime-type': type, filename = fileNameIn(url), encoding } = params
        if (!isWebAddress(url)) return undefined
        const { uploads, tracer } = context.services
        const { maxBytes } = uploads.rules
        const limits = { millis, maxBytes, signal: context.host.signal, trace: tracer.current() }
        const { content, mimeType } = await fetchFile(url, limits)
        const stored = await session.repository.blobs.write(content)
        const blob = { ...stored, name: filename, 'mime-type': type ?? mimeType, encoding: encoding ?? null }
        return { blob: await inspectBlob(session.repository, blob) }
      }),
    ],
  })

/** The last part of the path that says anything. */
function fileNameIn({ pathname }: URL): string | null {
  const last = pathname.split('/').findLast((part) => part !== '')
  return last === undefined ? null : decodeIfPossible(last)
}

const postToUrl = ({ millis }: RemoteRules) =>
  defineOperation({
    id: 'Blob.PostToURL',
    aliases: ['Blob.Post'],
    category: 'Files',
    description: 'Sends the file to another server, and gives it.',
    effect: 'waits',
    access: { administrators: true },
    params: { url: required('string', { description: 'The http or https address to post the bytes to' }) },
    run: ({ each }) => [
      each('blob', 'blob', async (blob, { session, context, params }) => {
        const { host, services } = context
        await post(session, blob, parseUrl(params.url), { millis, signal: host.signal, trace: services.tracer.current() })
        return blob
      }),
    ],
  })

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url === null) throw remoteRefused({ url: text, reason: 'is no address' })
  return url
}

async function post({ repository }: Session, file: FlowingBlob, url: URL, limits: Omit<RemoteLimits, 'maxBytes'>): Promise<void> {
  const { blob } = file
  const sent = {
    content: await openBlob(repository.blobs, file),
    contentType: contentTypeOf(blob),
    contentDisposition: contentDisposition('attachment', blob.name ?? 'file'),
  }
  try {
    await postFile(url, sent, limits)
  } finally {
    sent.content.destroy()
  }
}
