/** A kind of file that the server knows by name. */
export interface MimeType {
  /** As it is stored. */
  readonly type: string
  /** Other names for it. */
  readonly aliases: readonly string[]
  /** Without the dot; the first one names a file that is made anew. */
  readonly extensions: readonly string[]
  /** A file below `/icons/`. */
  readonly icon: string
  /** Nothing that an editor of texts could show. */
  readonly isBinary: boolean
}

type Row = readonly [type: string, extensions: string, icon: string, aliases?: readonly string[]]

const csvAliases = [
  'text/comma-separated-values',
  'application/csv',
  'application/excel',
  'application/vnd.ms-excel',
  'application/vnd.msexcel',
  'text/anytext',
]

const textRows: readonly Row[] = [
  ['text/plain', 'txt', 'text.png'],
  ['text/html', 'html xhtml shtml', 'text.png'],
  ['multipart/related', 'mhtml mht', 'text.png'],
  ['text/structured', 'stx', 'text.png'],
  ['text/x-rst', 'rst rest restx', 'text.png', ['text/restructured']],
  ['text/python-source', 'py', 'py.png', ['text/x-python']],
  ['text/java-source', 'java', 'java.png', ['text/x-java']],
  ['text/rtf', 'rtf', 'text.png'],
  ['text/x-web-markdown', 'md mkd markdown', 'text.png'],
  ['text/xml', 'xml graffle twb', 'xml.png'],
  ['text/csv', 'csv', 'csv.png', csvAliases],
  ['message/rfc822', 'eml', 'email.png'],
  ['application/docbook+xml', 'doc.xml docb.xml docb', 'xml.png'],
]

const opendocument = 'application/vnd.oasis.opendocument'
const openxml = 'application/vnd.openxmlformats-officedocument'

const officeRows: readonly Row[] = [
  ['application/vnd.ms-outlook', 'msg', 'email.png'],
  ['application/msword', 'doc dot', 'word.png'],
  ['application/vnd.ms-excel', 'xls xlt', 'xls.png'],
  ['application/vnd.ms-powerpoint', 'ppt pot pps', 'ppt.png'],
  ['application/vnd.ms-project', 'mpp', 'mpp.png'],
  ['application/vnd.ms-publisher', 'pub', 'pub.png'],
  ['application/vnd.sun.xml.writer', 'sxw', 'sxw.png'],
  ['application/vnd.sun.xml.writer.template', 'stw', 'stw.png'],
  ['application/vnd.sun.xml.impress', 'sxi', 'sxi.png'],
  ['application/vnd.sun.xml.impress.template', 'sti', 'sti.png'],
  ['application/vnd.sun.xml.calc', 'sxc', 'sxc.png'],
  ['application/vnd.sun.xml.calc.template', 'stc', 'stc.png'],
  ['application/vnd.sun.xml.draw', 'sxd', 'sxd.png'],
  ['application/vnd.sun.xml.draw.template', 'std', 'std.png'],
  [`${opendocument}.spreadsheet`, 'ods', 'ods.png'],
  [`${opendocument}.spreadsheet-template`, 'ots', 'ots.png'],
  [`${opendocument}.text`, 'odt', 'odt.png'],
  [`${opendocument}.text-template`, 'ott', 'ott.png'],
  [`${opendocument}.presentation`, 'odp', 'odp.png'],
  [`${opendocument}.presentation-template`, 'otp', 'otp.png'],
  [`${opendocument}.graphics`, 'odg', 'odg.png'],
  [`${opendocument}.graphics-template`, 'otg', 'otg.png'],
  [`${openxml}.wordprocessingml.document`, 'docx', 'docx.png'],
  [`${openxml}.wordprocessingml.template`, 'dotx', 'docx.png'],
  [`${openxml}.presentationml.presentation`, 'pptx', 'pptx.png'],
  [`${openxml}.presentationml.slideshow`, 'ppsx', 'pptx.png'],
  [`${openxml}.spreadsheetml.sheet`, 'xlsx', 'xlsx.png'],
  ['application/vnd.ms-word.document.macroEnabled.12', 'docm', 'docx.png'],
  ['application/vnd.ms-word.template.macroEnabled.12', 'dotm', 'docx.png'],
  ['application/vnd.ms-powerpoint.slideshow.macroEnabled.12', 'ppsm', 'pptx.png'],
  ['application/vnd.ms-powerpoint.presentation.macroEnabled.12', 'pptm', 'pptx.png'],
  ['application/vnd.ms-excel.sheet.binary.macroEnabled.12', 'xlsb', 'xlsx.png'],
  ['application/vnd.ms-excel.sheet.macroEnabled.12', 'xlsm', 'xlsx.png'],
  ['application/vnd.ms-xpsdocument', 'xps', 'xlsx.png'],
  ['application/pdf', 'pdf', 'pdf.png'],
  ['application/wordperfect', 'wpd', 'wpd.png'],
  [
    'application/visio',
    'vsdx vsd vst',
    'visio.gif',
    [
      'application/vnd.visio',
      'application/vnd.visio2013',
      'application/x-visio',
      'application/visio.drawing',
      'application/vsd',
      'application/x-vsd',
      'image/x-vsd',
      'zz-application/zz-winassoc-vsd',
    ],
  ],
]

const archiveRows: readonly Row[] = [
  ['application/octet-stream', '', 'application.png'],
  ['application/x-gtar', '', 'tar.png'],
  ['application/zip', 'zip', 'zip.png', ['application/x-zip-compressed']],
  ['application/java-archive', 'jar', 'java.png'],
]

const photoshopAliases = [
  'application/x-photoshop',
  'image/photoshop',
  'image/x-photoshop',
  'image/psd',
  'image/x-psd',
  'image/vnd.adobe.photoshop',
  'application/psd',
  'application/vnd.3gpp.pic-bw-small',
]

const imageRows: readonly Row[] = [
  ['image/gif', 'gif', 'image.gif'],
  ['image/png', 'png', 'image.gif'],
  ['image/jpeg', 'jpg jpeg', 'image.gif', ['image/pjpeg']],
  ['image/tiff', 'tiff tif', 'image.gif'],
  ['image/webp', 'webp', 'image.gif'],
  ['image/avif', 'avif', 'image.gif'],
  ['image/bmp', 'bmp', 'image.gif', ['image/x-bitmap']],
  ['image/x-portable-bitmap', 'pbm', 'image.gif'],
  ['image/x-portable-graymap', 'ppm', 'image.gif'],
  ['image/x-portable-pixmap', 'ppm', 'image.gif'],
  ['image/g3fax', 'fax', 'image.gif'],
  ['image/x-dpx', 'dpx', 'image.gif'],
  ['image/svg+xml', 'svg', 'image.gif'],
  ['application/illustrator', 'ai', 'image.gif'],
  ['application/photoshop', 'psd psb', 'image.gif', photoshopAliases],
  ['application/postscript', 'ps eps', 'ps.png'],
  ['application/x-emf', 'emf', 'image.gif'],
  ['application/x-vclmtf', 'vclmtf', 'image.gif'],
]

const rawPhotoRows: readonly Row[] = [
  ['image/x-canon-cr2', 'cr2', 'image.gif', ['image/CR2']],
  ['image/x-canon-crw', 'crw', 'image.gif'],
  ['image/x-nikon-nef', 'nef', 'image.gif', ['image/NEF']],
  ['image/x-adobe-dng', 'dng', 'image.gif'],
  ['image/x-panasonic-raw', 'raw rw2', 'image.gif'],
  ['image/x-fuji-raf', 'raf', 'image.gif'],
  ['image/x-sigma-x3f', 'x3f', 'image.gif'],
  ['image/x-pentax-pef', 'pef', 'image.gif'],
  ['image/x-kodak-dcr', 'dcr', 'image.gif'],
  ['image/x-kodak-kdc', 'kdc', 'image.gif'],
  ['image/x-sony-sr2', 'sr2', 'image.gif'],
  ['image/x-sony-arw', 'arw', 'image.gif'],
  ['image/x-sony-srf', 'srf', 'image.gif'],
  ['image/x-minolta-mrw', 'mrw', 'image.gif'],
  ['image/x-olympus-orf', 'orf', 'image.gif'],
  ['image/x-raw-epson', 'erf', 'image.gif'],
  ['image/raw', 'mos nrw 3fr', 'image.gif'],
  ['image/x-raw', 'mef', 'image.gif'],
]

const aacAliases = ['audio/aacp', 'audio/3gpp', 'audio/3gpp2', 'audio/mp4', 'audio/MP4A-LATM', 'audio/mpeg4-generic']

const audioRows: readonly Row[] = [
  ['audio/mpeg', 'mp3 mpga mp2', 'audio.png'],
  ['audio/x-wav', 'wav', 'wav.png'],
  ['audio/x-mpegurl', 'm3u', 'audio.png'],
  ['audio/x-aiff', 'aif aifc aiff', 'audio.png'],
  ['audio/ogg', 'ogg oga spx', 'audio.png'],
  ['audio/flac', 'flac', 'audio.png'],
  ['application/ogg', 'ogm ogx', 'audio.png'],
  ['audio/x-matroska', 'mka', 'audio.png'],
  ['audio/x-ms-wax', 'wax', 'audio.png'],
  ['audio/x-ms-wma', 'wma', 'audio.png'],
  ['audio/aac', 'aac m4a m4b m4p m4r mp4', 'audio.png', aacAliases],
]

const videoRows: readonly Row[] = [
  ['video/mpeg', 'mpa mpe mpeg mpg mpv2', 'video.png'],
  ['video/mp4', 'mp4', 'video.png'],
  ['video/MP2T', 'mts m2t m2ts ts tsa tsv', 'video.png'],
  ['video/quicktime', 'mov qt', 'video.png'],
  ['video/ogg', 'ogv', 'video.png'],
  ['video/webm', 'webm', 'video.png'],
  ['video/x-matroska', 'mkv', 'video.png'],
  ['video/x-ms-asf', 'asf asr asx', 'video.png'],
  ['video/x-msvideo', 'avi', 'video.png'],
  ['video/fli', 'fli', 'video.png'],
  ['video/flv', 'flv', 'video.png'],
  ['video/vnd.vivo', 'viv vivo', 'video.png'],
  ['video/x-m4v', 'm4v', 'video.png'],
  ['video/3gpp', '3gp', 'video.png'],
  ['video/3gpp2', '3g2', 'video.png'],
  ['video/x-ms-wmv', 'wmv', 'video.png'],
  ['video/x-ms-wm', 'wm', 'video.png'],
  ['video/x-ms-wvx', 'wvx', 'video.png'],
  ['video/x-ms-wmx', 'wmx', 'video.png'],
  ['application/gxf', 'gxf', 'video.png'],
  ['application/mxf', 'mxf', 'video.png'],
]

const notBinary = new Set(['multipart/related', 'message/rfc822', 'application/docbook+xml', 'image/svg+xml'])

/** All of them (contract: blobs 5.1). Of two that share an extension the later one has it. */
export const knownTypes: readonly MimeType[] = [
  ...textRows,
  ...officeRows,
  ...archiveRows,
  ...imageRows,
  ...rawPhotoRows,
  ...audioRows,
  ...videoRows,
].map(([type, extensions, icon, aliases = []]) => ({
  type,
  aliases,
  extensions: extensions.split(' ').filter((extension) => extension !== ''),
  icon,
  isBinary: !type.startsWith('text/') && !notBinary.has(type),
}))
