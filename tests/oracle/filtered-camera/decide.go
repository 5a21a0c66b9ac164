// Asks Viam's filtered camera (the module's own code) what it keeps: a sequence of events a line of JSON on stdin, an answer a
// line on stdout, in the same order. CONTRIBUTING.md says how it is built.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"os"
	"strings"
	"time"

	"github.com/viam-modules/filtered_camera"
	"go.viam.com/rdk/components/camera"
	"go.viam.com/rdk/data"
	"go.viam.com/rdk/logging"
	"go.viam.com/rdk/resource"
	"go.viam.com/rdk/services/vision"
	"go.viam.com/rdk/vision/classification"
	"go.viam.com/rdk/vision/objectdetection"
)

type scored struct {
	Label string
	Score float64
}

type sequence struct {
	Attributes map[string]any
	Seen       map[string]map[string]struct{ Classifications, Detections []scored }
	Events     []struct {
		Kind   string
		TimeMs int64
		Images []string
	}
}

type kept struct {
	Image       string   `json:"image"`
	TimeMs      int64    `json:"timeMs"`
	Annotations []scored `json:"annotations"`
}

type outcome struct {
	Asked        []string `json:"asked"`
	Kept         []kept   `json:"kept"`
	CapturedAtMs *int64   `json:"capturedAtMs"`
	Failed       bool     `json:"failed,omitempty"`
}

type answer struct {
	Refused  string         `json:"refused,omitempty"`
	Outcomes []outcome      `json:"outcomes,omitempty"`
	Stats    map[string]any `json:"stats,omitempty"`
}

var epoch = time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)

type taken struct {
	images []camera.NamedImage
	meta   resource.ResponseMetadata
}

// The camera below. Its background worker waits in Images until an event lets it take an image: that it asks again says that it
// has stored the one before.
type source struct {
	camera.Camera
	asks  chan struct{}
	gives chan taken
	next  taken
}

func (s *source) Images(ctx context.Context, _ []string, extra map[string]any) ([]camera.NamedImage, resource.ResponseMetadata, error) {
	if extra != nil {
		return s.next.images, s.next.meta, nil
	}
	select {
	case s.asks <- struct{}{}:
	case <-ctx.Done():
		return nil, resource.ResponseMetadata{}, ctx.Err()
	}
	select {
	case given := <-s.gives:
		return given.images, given.meta, nil
	case <-ctx.Done():
		return nil, resource.ResponseMetadata{}, ctx.Err()
	}
}

type service struct {
	vision.Service
	name  string
	said  *sequence
	asked *[]string
}

func (s *service) Name() resource.Name { return vision.Named(s.name) }

func (s *service) Classifications(_ context.Context, img *camera.NamedImage, n int, _ map[string]any) (classification.Classifications, error) {
	*s.asked = append(*s.asked, fmt.Sprint(img.SourceName, " ", s.name, " classifications ", n))
	found := s.said.Seen[img.SourceName][s.name].Classifications
	if found == nil {
		return nil, errors.New("no classifier")
	}
	results := classification.Classifications{}
	for _, one := range found {
		results = append(results, classification.NewClassification(one.Score, one.Label))
	}
	return results, nil
}

func (s *service) Detections(_ context.Context, img *camera.NamedImage, _ map[string]any) ([]objectdetection.Detection, error) {
	*s.asked = append(*s.asked, fmt.Sprint(img.SourceName, " ", s.name, " objects"))
	found := s.said.Seen[img.SourceName][s.name].Detections
	if found == nil {
		return nil, errors.New("no detector")
	}
	results := []objectdetection.Detection{}
	for _, one := range found {
		results = append(results, objectdetection.NewDetection(image.Rect(0, 0, 9, 9), image.Rect(1, 1, 5, 5), one.Score, one.Label))
	}
	return results, nil
}

func ask(seq *sequence) answer {
	ctx := context.Background()
	registration, _ := resource.LookupRegistration(camera.API, filtered_camera.Model)
	converted, err := registration.AttributeMapConverter(seq.Attributes)
	if err != nil {
		return answer{Refused: err.Error()}
	}
	needed, _, err := converted.Validate("components.0")
	if err != nil {
		return answer{Refused: err.Error()}
	}
	asked := []string{}
	cam := &source{asks: make(chan struct{}), gives: make(chan taken)}
	deps := resource.Dependencies{camera.Named(needed[0]): cam}
	for _, name := range needed[1:] {
		deps[vision.Named(name)] = &service{name: name, said: seq, asked: &asked}
	}
	conf := resource.Config{Name: "filtered", API: camera.API, Model: filtered_camera.Model, ConvertedAttributes: converted}
	built, err := registration.Constructor(ctx, deps, conf, logging.NewBlankLogger("decide"))
	if err != nil {
		return answer{Refused: err.Error()}
	}
	defer built.Close(ctx)
	var result answer
	waits := false
	for _, event := range seq.Events {
		var images []camera.NamedImage
		for _, name := range event.Images {
			img, _ := camera.NamedImageFromBytes([]byte{0}, name, "image/jpeg", data.Annotations{})
			images = append(images, img)
		}
		now := taken{images, resource.ResponseMetadata{CapturedAt: epoch.Add(time.Duration(event.TimeMs) * time.Millisecond)}}
		if event.Kind == "background" {
			if !waits {
				<-cam.asks
			}
			cam.gives <- now
			<-cam.asks
			waits = true
			continue
		}
		cam.next = now
		asked = []string{}
		given, meta, err := built.(camera.Camera).Images(ctx, nil, data.FromDMExtraMap)
		one := outcome{Asked: asked, Kept: []kept{}, Failed: err != nil && !data.IsNoCaptureToStoreError(err)}
		if err == nil {
			ms := meta.CapturedAt.Sub(epoch).Milliseconds()
			one.CapturedAtMs = &ms
		}
		for _, img := range given {
			stamp, name, _ := strings.Cut(img.SourceName, "_")
			at, _ := time.Parse("2006-01-02T15:04:05.000Z07:00", stamp)
			notes := []scored{}
			for _, c := range img.Annotations.Classifications {
				notes = append(notes, scored{c.Label, *c.Confidence})
			}
			for _, b := range img.Annotations.BoundingBoxes {
				notes = append(notes, scored{b.Label, *b.Confidence})
			}
			one.Kept = append(one.Kept, kept{name, at.Sub(epoch).Milliseconds(), notes})
		}
		result.Outcomes = append(result.Outcomes, one)
	}
	result.Stats, _ = built.DoCommand(ctx, nil)
	delete(result.Stats, "start_time")
	return result
}

func main() {
	var answers []chan answer
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 1<<24)
	for lines.Scan() {
		seq := &sequence{}
		if err := json.Unmarshal(lines.Bytes(), seq); err != nil {
			panic(err)
		}
		// Their background workers run by the real clock, so all sequences run at the same time.
		made := make(chan answer, 1)
		answers = append(answers, made)
		go func() { made <- ask(seq) }()
	}
	out := json.NewEncoder(os.Stdout)
	for _, made := range answers {
		_ = out.Encode(<-made)
	}
}
