/** In the order of preference: what the browsers of today write. */
const FORMATS = ['audio/webm', 'audio/mp4', 'audio/ogg']
/** Enough for speech: two minutes are half a megabyte. */
const BITS_PER_SECOND = 32_000

/** A recording under way. */
export interface Recording {
  /** How loud it is just now, 0 to 1. */
  level(): number
  /** Ends it and lets go of the microphone, also when called again. @returns the sound as a base64 data URL */
  end(): Promise<string>
}

interface WithPolicy {
  featurePolicy?: { allowsFeature(name: string): boolean }
}

/** Whether this browser records, and the site around this page lets it. */
export function canRecord(): boolean {
  const isAllowed = (document as WithPolicy).featurePolicy?.allowsFeature('microphone') !== false
  return isAllowed && 'MediaRecorder' in window && Boolean(navigator.mediaDevices?.getUserMedia)
}

/** Asks for the microphone and begins. @throws DOMException `NotAllowedError` where it is refused */
export async function record(): Promise<Recording> {
  const sound = await navigator.mediaDevices.getUserMedia({ audio: true })
  const type = FORMATS.find((format) => MediaRecorder.isTypeSupported(format)) ?? ''
  const recorder = new MediaRecorder(sound, {
    mimeType: type,
    audioBitsPerSecond: BITS_PER_SECOND,
  })
  const context = new AudioContext()
  const analyser = context.createAnalyser()
  context.createMediaStreamSource(sound).connect(analyser)
  const wave = new Uint8Array(analyser.fftSize)
  const parts: Blob[] = []
  const ended = new Promise<string>((resolve, reject) => {
    recorder.ondataavailable = ({ data }) => parts.push(data)
    recorder.onstop = () => {
      for (const track of sound.getTracks()) track.stop()
      void context.close()
      toDataUrl(new Blob(parts, { type })).then(resolve, reject)
    }
  })
  recorder.start()
  return {
    level() {
      analyser.getByteTimeDomainData(wave)
      return Math.min(1, Math.max(...wave.map((value) => Math.abs(value - 128))) / 64)
    },
    end() {
      if (recorder.state !== 'inactive') recorder.stop()
      return ended
    },
  }
}

function toDataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.onload = () => resolve(String(reader.result))
    reader.onerror = () => reject(reader.error)
    reader.readAsDataURL(blob)
  })
}
