import {
  File,
  FileImage,
  FileMusic,
  FileText,
  FileVideo,
  Folder,
  Globe,
  Layers,
  type LucideIcon,
  Newspaper,
  Star,
  StickyNote,
} from 'lucide-react'
import { type Document, isFolder, mainFileOf } from '../../api/types.ts'

const byMimeType: readonly (readonly [RegExp, LucideIcon])[] = [
  [/^image\//, FileImage],
  [/^video\//, FileVideo],
  [/^audio\//, FileMusic],
  [/^text\/|pdf|word|opendocument\.text/, FileText],
]
const byType: { readonly [type: string]: LucideIcon } = {
  Note: StickyNote,
  Domain: Globe,
  Collection: Layers,
  Favorites: Star,
  Section: Newspaper,
  SectionRoot: Newspaper,
}

type Depicted = Pick<Document, 'type'> & Partial<Document>

export function iconOf(document: Depicted): LucideIcon {
  const mimeType = mainFileOf(document)?.['mime-type'] ?? ''
  return (
    byType[document.type] ?? (isFolder(document) ? Folder : (byMimeType.find(([pattern]) => pattern.test(mimeType))?.[1] ?? File))
  )
}

export function DocumentIcon({ document, size = 18 }: { readonly document: Depicted; readonly size?: number }) {
  const Icon = iconOf(document)
  return <Icon size={size} strokeWidth={1.75} aria-hidden />
}
