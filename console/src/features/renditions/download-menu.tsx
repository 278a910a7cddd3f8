import { useQuery } from '@tanstack/react-query'
import { Download, FileArchive, FileDown, FileText, Image } from 'lucide-react'
import { useState } from 'react'
import { addressOf, call } from '../../api/client.ts'
import { documentKeys } from '../../api/documents.ts'
import { type Document, hasFacet, isFolder, mainFileOf, titleOf } from '../../api/types.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { useFormats } from '../../words/formats.ts'
import { useRenditionNames, useRenditionWords } from './words.ts'

const byName = { thumbnail: Image, zipExport: FileArchive, zipTreeExport: FileArchive } as const

/** The forms in which a document can be had: its file, a PDF of it, archives. They are looked up when somebody asks. */
export function DownloadMenu({ document }: { readonly document: Document }) {
  const say = useRenditionWords()
  const nameOf = useRenditionNames()
  const { size } = useFormats()
  const [isOpen, setOpen] = useState(false)
  const query = useQuery({
    queryKey: [...documentKeys.all, 'renditions', document.uid],
    queryFn: ({ signal }) => call<Document>(`id/${document.uid}`, { signal, headers: { 'enrichers.document': 'renditions' } }),
    enabled: isOpen,
  })
  if (document.path === '/') return null
  const file = mainFileOf(document)
  const isContainer = isFolder(document) || hasFacet(document, 'Collection')
  const renditions = query.data?.contextParameters?.renditions ?? []
  return (
    <Menu
      onOpenChange={setOpen}
      trigger={
        <Button look="quiet">
          <Download size={16} aria-hidden />
          <span className="wide-only">{say('download')}</span>
        </Button>
      }
    >
      {file === undefined ? null : (
        <MenuItem textValue={file.name ?? say('file')} href={file.data} download={file.name ?? ''}>
          <FileDown size={16} aria-hidden />
          {file.name ?? say('file')} ({size(file.length)})
        </MenuItem>
      )}
      {isContainer ? (
        <MenuItem
          textValue={say('archive')}
          href={addressOf(`api/v1/id/${document.uid}/@rendition/containerDefaultRendition`)}
          download={`${titleOf(document)}.zip`}
        >
          <FileArchive size={16} aria-hidden />
          {say('archive')}
        </MenuItem>
      ) : null}
      {renditions.map(({ name, url }) => {
        const Icon = byName[name as keyof typeof byName] ?? FileText
        return (
          <MenuItem key={name} id={name} textValue={nameOf(name)} href={url} download="">
            <Icon size={16} aria-hidden />
            {nameOf(name)}
          </MenuItem>
        )
      })}
      {query.isPending || query.error !== null ? (
        <MenuItem textValue={say('waiting')} isDisabled>
          {say(query.error === null ? 'waiting' : 'failed')}
        </MenuItem>
      ) : null}
    </Menu>
  )
}
