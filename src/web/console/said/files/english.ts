import type { Group } from '../said'

/** What the API says of a file, a document or a page of a site that it does not take. */
export const files: Group = {
  english: {
    empty: 'The file is empty.',
    otherArchive: 'Archives of type {kind} are not supported. Pack a ZIP file.',
    oldOffice:
      'The file is in an old Office format or has a password. Save it as .docx, .xlsx or .pptx without a password.',
    otherOffice: 'This document format is not supported. Save it as .docx, .xlsx, .pptx or PDF.',
    otherContent: 'The content is not that of a .{kind} file, whatever its name says.',
    svg: 'SVG files are not supported.',
    unknownKind: 'This type of file is not supported. Supported are {list}.',
    notUtf8: 'The text is not valid UTF-8. Save the file as UTF-8 and upload it again.',
    binary: 'The file holds binary data, not text.',
    noText: 'Files of type {kind} hold no text to search.',
    samePath: 'Another file of this upload has this path.',
    notStored: 'The file could not be stored; upload it again.',
    missing: 'The stored file is missing. Upload it again.',
    filesMost: 'at most {n} files in one upload',
    archiveDamaged: 'The archive is damaged{how}',
    archiveLarge: 'The archive unpacks to more than {n} MiB. Split it up.',
    archiveEntries: 'The archive holds {count} entries; at most {n} are allowed.',
    entryLocked: 'The entry is encrypted. Pack it without a password.',
    entryDamaged: 'The entry is damaged{how}',
    entryLarge: 'The file is larger than {n} MiB.',
    nested: 'Archives inside an archive are not opened. Upload it on its own.',
    documentNoText: 'The document holds no text.',
    documentComplex: 'The document is too large or too complex. Split it into smaller files.',
    documentLong: 'The document is too long. Split it into smaller files.',
    documentDamaged: 'The document is damaged{how}',
    documentGivenUp:
      'The document could not be processed after three attempts. Reindex it, or upload it again in another format.',
    baseFull:
      'The knowledge base is full: it holds at most {n} passages. Delete documents or use another base.',
    pdfProtected:
      'The PDF is protected. Save or print it as a PDF without password and restrictions and upload that.',
    pdfScan:
      'The PDF holds no text that can be read. If it is a scan, run text recognition (OCR) on it; otherwise export it anew with its fonts embedded.',
    pdfFonts:
      'The text of the PDF cannot be read: its fonts do not say which characters they show. Export it anew from the original.',
    pdfDamaged: 'The PDF is damaged. {how}',
    pdfPages: 'The PDF has {count} pages; at most {n} are allowed. Split it up.',
    json: 'The file is not valid JSON. Check it with a JSON validator and upload it again.',
    imageKind: 'The image must be one of {list}.',
    imageDamaged: 'The image is damaged.',
    pictureDamaged: 'The picture is damaged.',
    imageLarge: 'The image is {width} × {height} pixels; at most {n} × {same} are allowed.',
    pictureSquare:
      'The picture must be square, {n} to {most} pixels a side; this one is {width} × {height}.',
    siteRobots: 'The robots.txt of the site does not let us read this address.',
    siteNoRobots: 'The robots.txt of the site could not be read. Try again later.',
    siteSilent: 'The address did not answer.',
    siteLate: 'The address did not answer in time.',
    siteLarge: 'The address holds more than 1 MiB.',
    siteRedirects: 'The address leads on and on.',
    siteForbidden: 'The address leads to where we may not ask.',
    siteStatus: 'The address answered with status {status}.',
    siteOther: 'It leads to another site.',
  },
  words: {
    zh: () => import('./locales/zh.json'),
    'zh-TW': () => import('./locales/zh-TW.json'),
    es: () => import('./locales/es.json'),
    ru: () => import('./locales/ru.json'),
    fr: () => import('./locales/fr.json'),
    ar: () => import('./locales/ar.json'),
  },
}
