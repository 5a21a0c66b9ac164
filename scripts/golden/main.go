// Prints the values that tests of src/machine/vision expect, computed by the Go libraries that the machine uses.
package main

import (
	"fmt"
	"image"
	"image/color"

	"github.com/disintegration/imaging"
	"github.com/nfnt/resize"
)

// pattern is patternFrame of src/machine/vision/pattern-frame.ts: sample i is (37i² + 101i + 29) mod 256, and 255 where it is an opaque alpha.
func pattern(width, height int, varied bool) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for i := range img.Pix {
		img.Pix[i] = byte(37*i*i + 101*i + 29)
		if i%4 == 3 && !varied {
			img.Pix[i] = 255
		}
	}
	return img
}

// pattern16 has the same of 257i, in 16 bits.
func pattern16(width, height int) *image.NRGBA64 {
	img := image.NewNRGBA64(image.Rect(0, 0, width, height))
	for i := 0; i < 4*width*height; i++ {
		n := uint64(257 * i)
		sample := 37*n*n + 101*n + 29
		img.Pix[2*i], img.Pix[2*i+1] = byte(sample>>8), byte(sample)
	}
	return img
}

// planes reads the pattern as Y, Cb and Cr, one of each a pixel.
func planes(width, height int) *image.YCbCr {
	img := image.NewYCbCr(image.Rect(0, 0, width, height), image.YCbCrSubsampleRatio444)
	from := pattern(width, height, false).Pix
	for i := range img.Y {
		img.Y[i], img.Cb[i], img.Cr[i] = from[4*i], from[4*i+1], from[4*i+2]
	}
	return img
}

func main() {
	fmt.Println("# src/machine/vision/transforms/rotate.test.ts: R, G, B, A of imaging.Rotate, positive = clockwise")
	for _, turn := range []struct {
		img     *image.NRGBA
		degrees float64
	}{{pattern(4, 3, false), 30}, {pattern(4, 3, false), -17}, {pattern(2, 2, true), 45}} {
		turned := imaging.Rotate(turn.img, -turn.degrees, color.Black)
		fmt.Println(turn.degrees, turned.Rect.Dx(), turned.Rect.Dy(), turned.Pix)
	}

	fmt.Println("# src/machine/vision/preprocess/stretch.test.ts: R, G, B of resize.Resize with Bilinear")
	for _, stretch := range []struct {
		name          string
		img           image.Image
		width, height uint
	}{
		{"shrinks both axes", pattern(5, 4, false), 2, 3},
		{"enlarges both axes", pattern(3, 2, false), 4, 3},
		{"enlarges a single pixel", pattern(1, 1, false), 2, 2},
		{"shrinks to a single pixel", pattern(4, 3, false), 1, 1},
		{"changes the height alone", pattern(4, 3, false), 4, 2},
		{"changes the width alone", pattern(4, 3, false), 3, 3},
		{"shrinks 3.7 times", pattern(37, 2, false), 10, 1},
		{"premultiplies alpha before it filters", pattern(4, 3, true), 3, 2},
		{"premultiplies at 16 bits when nothing is filtered", pattern(3, 2, true), 3, 2},
		{"premultiplies at 8 bits when one axis is filtered", pattern(3, 2, true), 3, 3},
		{"filters JPEG planes before it converts them", planes(4, 3), 3, 2},
		{"converts JPEG planes of the right size", planes(3, 2), 3, 2},
		{"filters 16-bit samples at 16 bits", pattern16(4, 3), 3, 2},
		{"cuts 16-bit samples of the right size to their high byte", pattern16(3, 2), 3, 2},
	} {
		stretched := resize.Resize(stretch.width, stretch.height, stretch.img, resize.Bilinear)
		fmt.Print(stretch.name, ": ")
		bounds := stretched.Bounds()
		for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
			for x := bounds.Min.X; x < bounds.Max.X; x++ {
				r, g, b, _ := stretched.At(x, y).RGBA()
				fmt.Print(r>>8, ", ", g>>8, ", ", b>>8, ", ")
			}
		}
		fmt.Println()
	}
}
