import jpegDecoder from '@jsquash/jpeg/codec/dec/mozjpeg_dec.js'
import jpegModule from '@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'
import webpDecoder from '@jsquash/webp/codec/dec/webp_dec.js'
import webpModule from '@jsquash/webp/codec/dec/webp_dec.wasm'
import { decode as decodePng, encode as encodePng } from 'fast-png'
import type { Picture } from './picture'
import { toPlainPng } from './plain-png'
import { toRgba } from './to-rgba'

export type PictureKind = 'png' | 'jpeg' | 'webp'

/**
 * The pixels of a picture whose header was checked, or null when they cannot be read.
 */
export async function decodePicture(
  bytes: Uint8Array<ArrayBuffer>,
  kind: PictureKind,
): Promise<Picture | null> {
  try {
    if (kind === 'png') {
      const plain = toPlainPng(bytes)
      return plain && toRgba(decodePng(plain))
    }
    if (kind === 'jpeg') {
      // What a camera notes about its position is followed.
      return (await instantiate(jpegDecoder, jpegModule)).decode(bytes, true)
    }
    return (await instantiate(webpDecoder, webpModule)).decode(bytes)
  } catch {
    return null
  }
}

export function encodePicture(picture: Picture): Uint8Array {
  return encodePng({ ...picture, channels: 4, depth: 8, data: new Uint8Array(picture.data) })
}

interface Decoder {
  decode(bytes: Uint8Array, preserveOrientation?: boolean): Picture | null
}

type Factory = (options: {
  noInitialRun: boolean
  instantiateWasm: (
    imports: WebAssembly.Imports,
    done: (instance: WebAssembly.Instance) => void,
  ) => WebAssembly.Exports
  print: () => void
  printErr: () => void
}) => Promise<Decoder>

/** A fresh one for each picture: its memory goes with it, and a picture that breaks one breaks no other. */
function instantiate(factory: unknown, module: WebAssembly.Module): Promise<Decoder> {
  const hadLocation = 'location' in globalThis
  const decoder = (factory as Factory)({
    noInitialRun: true,
    instantiateWasm: (imports, done) => {
      const instance = new WebAssembly.Instance(module, imports)
      done(instance)
      return instance.exports
    },
    print: () => {},
    printErr: () => {},
  })
  // The codec makes up a `location` without an origin, over which a module that is loaded later would fall.
  if (!hadLocation) Reflect.deleteProperty(globalThis, 'location')
  return decoder
}
